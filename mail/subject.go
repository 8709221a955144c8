package mail

import "strings"

// SubjectBase strips what replies, forwards and lists put around a subject: RFC
// 5256 2.1, with the answer marks of other languages. It is for display: a
// subject never joins threads.
func SubjectBase(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	for {
		before := s
		for strings.HasSuffix(strings.ToLower(s), "(fwd)") {
			s = strings.TrimSpace(s[:len(s)-len("(fwd)")])
		}
		for {
			rest := trimLeader(s)
			if blob, after := trimBlob(rest); blob && after != "" {
				rest = after
			}
			if rest == s {
				break
			}
			s = rest
		}
		if len(s) > 6 && strings.EqualFold(s[:5], "[fwd:") && s[len(s)-1] == ']' {
			s = strings.TrimSpace(s[5 : len(s)-1])
		}
		if s == before {
			return s
		}
	}
}

// marks are what stands before the colon: RFC 5256 5 subj-refwd, and AW, SV,
// Antw, Rif, WG, Enc, TR, RV as mailers translate it.
var marks = map[string]bool{
	"re": true, "fw": true, "fwd": true, "aw": true, "sv": true, "vs": true, "antw": true, "rif": true,
	"wg": true, "enc": true, "tr": true, "rv": true, "odp": true, "ynt": true, "回复": true, "答复": true, "转发": true,
}

// trimLeader takes one "Re:", "Re[2]:" or "Fwd [list]:" off.
func trimLeader(s string) string {
	i := strings.IndexAny(s, ":：")
	if i < 0 || i > 64 {
		return s
	}
	mark, colon := strings.TrimSpace(s[:i]), 1
	if strings.HasPrefix(s[i:], "：") {
		colon = len("：")
	}
	if j := strings.IndexByte(mark, '['); j > 0 && strings.HasSuffix(mark, "]") {
		mark = strings.TrimSpace(mark[:j])
	}
	if !marks[strings.ToLower(mark)] {
		return s
	}
	return strings.TrimSpace(s[i+colon:])
}

// trimBlob takes one "[list]" off: RFC 5256 5 subj-blob.
func trimBlob(s string) (bool, string) {
	if !strings.HasPrefix(s, "[") || len(s) > 5 && strings.EqualFold(s[:5], "[fwd:") {
		return false, s
	}
	end := strings.IndexAny(s[1:], "[]")
	if end < 0 || s[end+1] != ']' {
		return false, s
	}
	return true, strings.TrimSpace(s[end+2:])
}
