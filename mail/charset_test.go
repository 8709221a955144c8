package mail

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

const (
	german   = "Schöne Grüße aus Köln, „Jürgen“"
	russian  = "Здравствуйте, уважаемые коллеги! Завтра в десять часов утра состоится собрание в большом зале."
	ukrain   = "Доброго дня! Завтра о десятій годині відбудуться збори, ґанок і їжа."
	chinese  = "各位同事，明天上午十点在会议室开会，请准时参加。"
	trad     = "明天早上十點開會，請準時參加，謝謝大家的配合。"
	japan    = "明日の会議は午前十時からに変更になりました。よろしくお願いします。"
	korea    = "안녕하세요. 내일 회의는 오전 열 시에 시작합니다. 감사합니다."
	greek    = "Καλημέρα σας, η συνάντηση θα γίνει αύριο το πρωί στις δέκα στην μεγάλη αίθουσα."
	nonsense = "x-who-knows"
)

func in(t *testing.T, e encoding.Encoding, s string) string {
	t.Helper()
	b, err := e.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCharsets: text comes out as it was meant, whether its label is true,
// missing, unknown or wrong.
func TestCharsets(t *testing.T) {
	gb, big5, sjis, kr := simplifiedchinese.GB18030, traditionalchinese.Big5, japanese.ShiftJIS, korean.EUCKR
	for _, tc := range []struct {
		name, bytes, label, want string
		lied                     bool
	}{
		{"ascii", "abc", "", "abc", false},
		{"utf-8", german, "UTF-8", german, false},
		{"utf-8 in quotes", german, `"utf8"`, german, false},
		{"utf-8 as ascii", german, "us-ascii", german, true},
		{"utf-8 as latin1", german, "iso-8859-1", german, true},
		{"utf-8 as koi8", russian, "koi8-r", russian, true},
		{"utf-8 as gb2312", chinese, "gb2312", chinese, true},
		{"utf-8 as euc-kr", korea, "euc-kr", korea, true},
		{"utf-8 as iso-2022-jp", japan, "iso-2022-jp", japan, true},
		{"utf-8 cut in a character", "Grüße und ü\xc3", "utf-8", "Grüße und ü", true},
		{"windows-1252 as latin1", in(t, charmap.Windows1252, german), "iso-8859-1", german, false},
		{"windows-1252 as utf-8", in(t, charmap.Windows1252, german), "utf-8", german, true},
		{"windows-1252 alone", in(t, charmap.Windows1252, german), "", german, true},
		{"windows-1251", in(t, charmap.Windows1251, russian), "windows-1251", russian, false},
		{"windows-1251 alone", in(t, charmap.Windows1251, russian), "", russian, true},
		{"windows-1251 as latin1", in(t, charmap.Windows1251, russian), "iso-8859-1", russian, true},
		{"koi8-r alone", in(t, charmap.KOI8R, russian), nonsense, russian, true},
		{"koi8-u", in(t, charmap.KOI8U, ukrain), "KOI8-U", ukrain, false},
		{"greek alone", in(t, charmap.ISO8859_7, greek), "", greek, true},
		{"iso-8859-15", "\xa4 5", "iso-8859-15", "€ 5", false},
		{"cp850", "f\x81r", "cp850", "für", false},
		{"gb18030 as gb2312", in(t, gb, "朱镕基，陶喆，€"), "gb2312", "朱镕基，陶喆，€", false},
		{"gbk alone", in(t, gb, chinese), "", chinese, true},
		{"gbk as latin1", in(t, gb, chinese), "iso-8859-1", chinese, true},
		{"gbk as utf-8", in(t, gb, chinese), "utf-8", chinese, true},
		{"big5", in(t, big5, trad), "big5", trad, false},
		{"big5 alone", in(t, big5, trad), "", trad, true},
		{"big5 as gb2312", in(t, big5, trad), "us-ascii", trad, true},
		{"shift_jis", in(t, sjis, japan), "Shift_JIS", japan, false},
		{"shift_jis alone", in(t, sjis, japan), "", japan, true},
		{"euc-jp alone", in(t, japanese.EUCJP, japan), "", japan, true},
		{"iso-2022-jp", in(t, japanese.ISO2022JP, japan), "iso-2022-jp", japan, false},
		{"iso-2022-jp as ascii", in(t, japanese.ISO2022JP, japan), "us-ascii", japan, true},
		{"iso-2022-jp with katakana", "\x1b(I1\x1b(B", "cp50221", "ｱ", false},
		{"shift_jis as iso-2022-jp", in(t, sjis, japan), "iso-2022-jp", japan, true},
		{"ks_c_5601-1987", in(t, kr, korea), "ks_c_5601-1987", korea, false},
		{"euc-kr alone", in(t, kr, korea), "", korea, true},
		{"iso-2022-kr", "\x1b$)C\x0e>H3g\x0f!", "iso-2022-kr", "안녕!", false},
		{"iso-2022-jp-2 chinese and korean", "\x1b$A=;Wi\x1b$(C>H\x1b(B.\x1b.AcafN\x1bNi\n", "iso-2022-jp-2", "交组안.cafN\u00e9\n", false},
		{"iso-2022-jp-2 greek", "\x1b.F\x1bNa", "iso-2022-jp-2", "α", false},
		{"iso-2022-jp-1 jis x 0212", "\x1b$(D0!\x1b(B", "iso-2022-jp-1", "丂", false},
		{"iso-2022-jp roman", "\x1b(J\\~\x1b(B\\~", "iso-2022-jp", "¥‾\\~", false},
		{"iso-2022-jp-ms circled one", "\x1b$B-!\x1b(B", "iso-2022-jp-ms", "①", false},
		{"iso-2022-jp-ms chosen by NEC", "\x1b$By\"\x1b(B", "iso-2022-jp", "褜", false},
		{"cp50221 katakana in 8 bit", "\x1b$B$\"\x1b(B\xb1\xb2", "cp50221", "あｱｲ", false},
		{"cp50222 katakana shifted", "\x0e12\x0fA", "cp50222", "ｱｲA", false},
		{"half-width katakana as ascii", "\x1b(I12\x1b(B!", "us-ascii", "ｱｲ!", true},
		{"iso-2022-jp without its end", "\x1b$B$\"\nplain", "iso-2022-jp", "あ\nplain", false},
		{"iso-2022-jp cut in a character", "\x1b$B$\"$", "iso-2022-jp", "あ\ufffd", false},
		{"iso-2022-jp without its escapes", "A$B$\"$$(B B", "iso-2022-jp", "Aあい B", false},
		{"dollars are no escapes", "cost: $BIG (BONUS)", "iso-2022-jp", "cost: $BIG (BONUS)", false},
		{"edition of 1990", "\x1b&@\x1b$B$\"\x1b(B", "iso-2022-jp", "あ", false},
		{"koi8-u as koi8-r", in(t, charmap.KOI8U, ukrain), "koi8-u", ukrain, false},
		{"koi8", in(t, charmap.KOI8R, russian), "koi8", russian, false},
		{"gb18030 four bytes", in(t, gb, "𠀀㐀€"), "gb18030", "𠀀㐀€", false},
		{"gb18030 four bytes as gbk", in(t, gb, "你𠀀㐀"), "x-gbk", "你𠀀㐀", false},
		{"imap's utf-7", "Entw&APw-rfe &- &ZeVnLIqe-", "x-imap4-modified-utf7", "Entwürfe & 日本語", false},
		{"hz", "~{<:Ky2;S{~}", "hz-gb-2312", "己所不欲", false},
		{"utf-7", "A+ImIDkQ. Hi +Jjo-! +- 1+1", "utf-7", "A≢Α. Hi ☺! + 1+1", false},
		{"utf-16 with mark", "\xff\xfeA\x00\xe4\x00", "", "Aä", false},
		{"utf-16 without", "A\x00b\x00c\x00", "utf-16", "Abc", false},
		{"utf-16 that is not", "plain", "utf-16", "plain", true},
		{"utf-32", "\xff\xfe\x00\x00A\x00\x00\x00", "utf-32", "A", false},
		{"mark in front", "\xef\xbb\xbfabc\xc3\xa4", "utf-8", "abcä", false},
		{"latin1 footer", "déjà vu, très élégant, r\xe9gion", "utf-8", "déjà vu, très élégant, région", true},
	} {
		c := &charsets{left: 4}
		if got := c.decode([]byte(tc.bytes), tc.label); got != tc.want || c.lied != tc.lied {
			t.Errorf("%s: got %q, lied %v, want %q, %v", tc.name, got, c.lied, tc.want, tc.lied)
		}
	}
}

// A header in raw 8 bit is in what the text is in.
func TestHint(t *testing.T) {
	subject := in(t, charmap.KOI8R, "Да")
	for name, m := range map[string]*Message{
		"label": Parse([]byte("Subject: " + subject + "\nContent-Type: text/plain; charset=koi8-r\n\nx")),
		"text":  Parse([]byte("Subject: " + subject + "\n\n" + in(t, charmap.KOI8R, russian))),
	} {
		if m.Subject != "Да" {
			t.Errorf("%s: got %q", name, m.Subject)
		}
	}
}

// RFC 2047, its examples and its misuse.
func TestEncodedWords(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                                                 "plain",
		"=?ISO-8859-1?Q?a?=":                                    "a",
		"=?ISO-8859-1?Q?a?= b":                                  "a b",
		"=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=":                 "ab",
		"=?ISO-8859-1?Q?a?=  \r\n  =?ISO-8859-1?Q?b?=":          "ab",
		"=?ISO-8859-1?Q?a_b?=":                                  "a b",
		"=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=":                "a b",
		"=?US-ASCII*EN?Q?Keith_Moore?=":                         "Keith Moore",
		"=?utf-8?b?5L2g5aU=?= =?UTF-8?B?veS4lueVjA==?=":         "你好世界",
		"=?utf-8?Q?=E4=BD?= =?utf-8?b?oA==?=":                   "你",
		"=?utf-8?Q?has spaces in it?= x":                        "has spaces in it x",
		"=?utf-8?Q?What?=20now?=":                               "What? now",
		"=?utf-8?Q?Why?=":                                       "Why",
		"=?utf-8?B?w6TDtsO8":                                    "äöü",
		"=?utf-8?Q?cut_off and more":                            "cut off and more",
		"=?none?B?VEVTVA=?=":                                    "TEST",
		"=?NONE?B?VEVTVA=?=":                                    "TEST",
		"=? utf-8 ?Q?=C3=A4?=":                                  "ä",
		"\"=?utf-8?Q?=C3=A4?=\" x":                              "\"ä\" x",
		"=?us-ascii?Q?=C3=A4?=":                                 "ä",
		"=?utf-8?Q?=E4?=":                                       "ä",
		"=?windows-1252?Q?=C3=A4?= =?utf-8?Q?=C3=A4?=":          "ää",
		"=?utf-8?B?5L2g5a?= =?utf-8?B?W9?=":                     "你好",
		"=?utf-8?B?w6Q?= =?utf-8?B?w6Q?=":                       "ää",
		"=?shift_jis?B?k/qWew==?=":                              "日本",
		"=?big5?B?p0Gm?= =?big5?B?bg==?=":                       "你好",
		"=?utf-8?Q?a?==?utf-8?Q?b?=":                            "ab",
		"=?utf-8?Q?a?=,=?utf-8?Q?b?=":                           "a,b",
		"=?utf-8?Q??= x":                                        "x",
		"=?iso-2022-jp?B?GyRCRnw=?= =?iso-2022-jp?B?S1wbKEI=?=": "日本",
		"=?utf-8?X?abc?=":                                       "=?utf-8?X?abc?=",
		"=?utf-8?Q?":                                            "",
		"=?=?utf-8?Q?a?=":                                       "=?a",
		"a=?utf-8?Q?b?=c":                                       "abc",
		"=?utf-8?Q?=ZZ=4?=":                                     "=ZZ=4",
		"=?iso-2022-jp?B?GyRCJF4bKEI=?= =?iso-2022-jp?B?GyRCJF8bKEI=?=": "まみ",
		"=?gb2312?B?" + "xOO6ww==" + "?=":                               "你好",
		"=?utf-8?Q?line=0D=0ABcc:_x=00?=":                               "line  Bcc: x",
	} {
		if got := (Field{Raw: []byte(in)}).Text(); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if long := strings.Repeat("=?utf-8?q?=C3=A4?= ", 1000); (Field{Raw: []byte(long)}).Text() != strings.Repeat("ä", 1000) {
		t.Error("a thousand words do not join")
	}
}
