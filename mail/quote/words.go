package quote

// What mail programs write, in the languages that they write it in. They are parts
// of regular expressions; case does not count.

// verbs of "On Monday, Bo wrote:".
var verbs = []string{
	`wrote`, `writes`, `said`, `schrieb`, `schreibt`, `hat geschrieben`, `a écrit`, `écrit`, `a écrit le`, `escribió`, `escribio`,
	`ha scritto`, `scrive`, `escreveu`, `schreef`, `geschreven`, `napisał`, `napisała`, `napisał\(a\)`, `pisze`,
	`написал`, `написала`, `написал\(а\)`, `пишет`, `писал`, `писала`, `написав`, `написала`, `пише`, `skrev`, `skriver`,
	`napsal`, `napsala`, `napsal\(a\)`, `napísal`, `napísal\(a\)`, `kirjoitti`, `írta`, `a scris`, `έγραψε`, `כתב`, `כתבה`,
	`كتب`, `đã viết`, `menulis`, `je napisao`, `je napisao/la`, `написа`, `va escriure`, `rašė`, `kirjutas`, `rakstīja`,
}

// starters begin such a line.
var starters = []string{
	`on`, `at`, `am`, `le`, `el`, `il`, `il giorno`, `em`, `op`, `w dniu`, `dnia`, `den`, `dne`, `dňa`, `på`, `в`, `у`,
	`στις`, `pe`, `în`, `dana`, `vào`, `pada`, `בתאריך`, `في`, `yesterday`, `quoting`, `von`, `from`,
}

// The fields of the header above an original message.
var (
	fromWords = []string{
		`from`, `von`, `de`, `da`, `van`, `od`, `от`, `от кого`, `від`, `差出人`, `送信元`, `发件人`, `發件人`, `寄件者`, `寄件人`, `보낸 ?사람`,
		`kimden`, `gönderen`, `från`, `fra`, `lähettäjä`, `feladó`, `de la`, `από`, `expéditeur`, `remitente`, `mittente`, `remetente`, `מאת`,
	}
	dateWords = []string{
		`sent`, `date`, `sent at`, `gesendet`, `datum`, `envoyé`, `date d'envoi`, `enviado`, `enviado el`, `enviada em`, `enviado em`, `fecha`, `data`,
		`inviato`, `verzonden`, `wysłano`, `отправлено`, `дата`, `надіслано`, `送信日時`, `日付`, `发送时间`, `发送日期`, `時間`, `时间`, `日期`, `傳送時間`, `寄件日期`,
		`보낸 ?날짜`, `날짜`, `gönderildi`, `gönderme tarihi`, `tarih`, `skickat`, `sendt`, `dato`, `lähetetty`, `päiväys`, `odesláno`, `odoslané`, `elküldve`, `dátum`, `trimis`, `נשלח`,
	}
	toWords = []string{
		`to`, `an`, `à`, `a`, `para`, `aan`, `do`, `komu`, `кому`, `宛先`, `收件人`, `收件者`, `받는 ?사람`, `kime`, `alıcı`, `till`, `til`, `vastaanottaja`,
		`címzett`, `către`, `προς`, `destinataire`, `destinatario`, `cc`, `kopie`, `copie`, `copia`, `kopia`, `копия`, `抄送`, `副本`, `참조`, `bilgi`, `dw`, `אל`,
	}
	subjectWords = []string{
		`subject`, `betreff`, `objet`, `asunto`, `oggetto`, `assunto`, `onderwerp`, `temat`, `тема`, `件名`, `主题`, `主題`, `主旨`, `제목`, `konu`,
		`ämne`, `emne`, `aihe`, `předmět`, `predmet`, `tárgy`, `subiect`, `θέμα`, `נושא`,
	}
)

// originalWords stand between dashes above an original message.
var originalWords = []string{
	`original message`, `original appointment`, `ursprüngliche nachricht`, `originalnachricht`, `original-nachricht`, `message d'origine`, `message d’origine`,
	`message original`, `mensaje original`, `messaggio originale`, `mensagem original`, `oorspronkelijk bericht`, `wiadomość oryginalna`,
	`oryginalna wiadomość`, `исходное сообщение`, `оригинальное сообщение`, `元のメッセージ`, `原始邮件`, `原始郵件`, `原邮件`, `원본 메시지`, `özgün ileti`, `orijinal mesaj`,
	`orijinal ileti`, `ursprungligt meddelande`, `originalmeddelande`, `oprindelig meddelelse`, `opprinnelig melding`, `původní zpráva`, `pôvodná správa`,
	`alkuperäinen viesti`, `eredeti üzenet`, `mesaj original`,
}

// forwardedWords tell that the message below is passed on.
var forwardedWords = []string{
	`forwarded`, `weitergeleitet`, `transféré`, `réexpédié`, `reenviad`, `inoltrat`, `encaminhad`, `doorgestuurd`, `przekazan`, `przesłan`,
	`пересланн`, `пересылаем`, `переадрес`, `転送`, `转发`, `轉寄`, `전달`, `iletilen`, `iletilmiş`, `vidarebefordra`, `videresend`, `přeposlan`, `preposlan`,
	`välitetty`, `továbbított`, `redirecționat`,
}

// devices are what mail is sent from.
const devices = `(?:i ?phone|i ?pad|i ?pod|android|mobile|phone|smartphone|handy|cell|tablet|blackberry|galaxy|samsung|huawei|xiaomi|htc|sony|xperia|nokia|windows|mail|` +
	`mailbox|airmail|yahoo|outlook|gmail|proton ?mail|proton|gmx|web\.de|aol|k-9|k9|fairemail|thunderbird|sparrow|spark|superhuman|edison|device|mobilgerät|mobiltelefon)`

// sentFrom are the lines that programs on phones add, in whole.
var sentFrom = []string{
	// English
	`sent from my .+`, `sent (?:from|with|via|using|by|on) (?:an? |the )?\[?` + devices + `\b.*`, `.{0,20}\bfrom (?:my )?` + devices + `\b.{0,12}`,
	`get \[?outlook for .+`, `sent from outlook.*`, `typed (?:on|with) .*` + devices + `.*`,
	// German
	`(?:diese (?:nachricht|e-mail|mail) wurde )?(?:von|mit|über) (?:mein|dem|der|einem).+(?:gesendet|geschickt|verschickt)\.?`, `gesendet (?:mit|von|über|aus|via) .+`,
	`(?:holen sie sich )?outlook für .+`,
	// French
	`envoyé (?:de|d'|depuis|à partir|avec|par|via) .+`, `(?:télécharger|obtenir|téléchargez|obtenez) outlook.*`,
	// Spanish, Portuguese, Italian
	`enviad[oa] (?:desde|con|do|da|de|a partir|pelo|pela|via|com|por) .+`, `(?:obtener|obtén|descargar|obter o|obtenha o|baixar o) outlook.*`,
	`inviat[oa] (?:da|dal|dall'|con|tramite) .+`, `(?:ottieni|scarica) outlook.*`,
	// Dutch
	`(?:verzonden|verstuurd) (?:vanaf|vanuit|met|via|van) .+`, `(?:download )?outlook voor .+`,
	// Polish, Czech, Slovak
	`wysłan[eoa] (?:z|za pomocą|przez) .+`, `pobierz .*outlook.*`, `odesláno (?:z|ze|pomocí) .+`, `odoslané (?:z|zo) .+`, `(?:získat|stáhnout|získajte) .*outlook.*`,
	// Russian, Ukrainian
	`отправлено (?:с|со|из|от|через) .+`, `(?:скачать|получить|установить) outlook.*`, `надіслано (?:з|із|від) .+`,
	// Swedish, Danish, Norwegian, Finnish
	`skickat (?:från|via|med) .+`, `hämta outlook.*`, `sendt (?:fra|via|med) .+`, `(?:hent|få|skaff deg) outlook.*`, `lähetetty .*` + devices + `.*`, `hanki outlook.*`,
	// Turkish, Hungarian
	`.{1,40}(?:den|dan|ten|tan) gönderildi.?`, `outlook.* (?:edinin|indirin)`, `.{1,40} küldve\.?`,
	// Japanese, Chinese, Korean
	`.{1,30}から送信.{0,10}`, `.*outlook.*を入手.*`, `[发發]自我?的?.{1,40}`, `[从從](?:我的)?.{1,30}[发發傳传][送出].{0,3}`, `寄自.{1,30}`, `(?:获取|獲取|取得) ?.*outlook.*`,
	`(?:나의|내) .{1,30}에서 보[냄내].{0,4}`, `.{1,20}에서 보냄`, `.*outlook.*(?:받기|다운로드|가져오기)`,
}
