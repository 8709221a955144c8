//go:build corpus

package mail

// Reasons that stand for several cells.
const (
	bytesKnown  = "the bytes are those of a charset that can be told; the others show U+FFFD"
	ownIsStrict = "OwnText compares arrivals: it takes off only what surely is no word of the author's at the end, in the forms that every mailer writes"
	opensInner  = "a message inside that is not marked as a file is opened: its text is in Text, its files in Attachments"
	readsAll    = "there is text in it and no other: it is shown rather than nothing"
	obsolete    = "comments and blanks of RFC 5322 4.4 are taken out"
	rfc8621     = "RFC 8621 4.1.4: a text with a file's name behind the root of multipart/related is attached, and to be had as the file that it is"
)

// argued are the cells of INDEX.tsv that this parser does not agree with, and why.
var argued = map[string]string{
	"email_reply_parser/email_iPhone.txt stated visible text":                                    ownIsStrict,
	"email_reply_trimmer/delimiters.txt expected_sidecar":                                        ownIsStrict,
	"email_reply_trimmer/embedded_email_1.txt expected_sidecar":                                  ownIsStrict,
	"email_reply_trimmer/embedded_email_10.txt expected_sidecar":                                 ownIsStrict,
	"email_reply_trimmer/embedded_email_dutch_2.txt expected_sidecar":                            ownIsStrict,
	"email_reply_trimmer/embedded_email_french_1.txt expected_sidecar":                           ownIsStrict,
	"email_reply_trimmer/forwarded_gmail.txt expected_sidecar":                                   ownIsStrict,
	"email_reply_trimmer/signatures.txt expected_sidecar":                                        ownIsStrict,
	"talon/android.eml stated reply text":                                                        ownIsStrict,
	"talon/aol.eml stated reply text":                                                            ownIsStrict,
	"talon/comcast.eml stated reply text":                                                        ownIsStrict,
	"talon/outlook.eml stated reply text":                                                        ownIsStrict,
	"talon/thunderbird.eml stated reply text":                                                    ownIsStrict,
	"talon/yahoo.eml stated reply text":                                                          ownIsStrict,
	"talon/sparrow.eml stated reply text":                                                        "what stands behind \"-- \" is a signature (RFC 3676 4.3)",
	"enmime/parts-chardet-success-iso-8859-1.eml text_snippet_consensus":                         bytesKnown,
	"flanker/mailformed-headers.eml subject_consensus":                                           bytesKnown,
	"mikel-mail/attachment_with_encoded_name.eml attachments_consensus":                          bytesKnown + ", here windows-1252 under a label of ISO-2022-JP",
	"mikel-mail/invalid_subject_characters.eml subject_consensus":                                bytesKnown,
	"enmime/parts-nestedmulti.eml attachments_consensus":                                         rfc8621,
	"enmime/parts-nestedmulti.eml text_snippet_consensus":                                        rfc8621,
	"flanker/enclosed-global.eml attachments_consensus":                                          opensInner + ", message/global too (RFC 6532 3.7)",
	"mikel-mail/attachment_message_rfc822.eml stated attachments.length":                         opensInner,
	"mikel-mail/attachment_message_rfc822.eml stated attachments[1].decoded.length":              opensInner,
	"mikel-mail/attachment_message_rfc822_inline_image.eml stated attachments[1].decoded.length": "the bytes as they stand, with the From line in front and CRLF; the source counts its own rewriting",
	"flanker/mailformed-headers.eml text_snippet_consensus":                                      readsAll,
	"mikel-mail/content_transfer_encoding_with_8bits.eml text_snippet_consensus":                 "there is HTML alone: its text is shown",
	"mimekit/messages-multipart-related-mhtml.eml text_snippet_consensus":                        "there is HTML alone: its text is shown",
	"mimekit/messages-delivery-status-no-blank-line.eml text_snippet_consensus":                  readsAll,
	"flanker/signed.eml text_snippet_consensus":                                                  readsAll,
	"flanker/signed.eml attachments_consensus":                                                   readsAll + ", and so is no file beside it",
	"mikel-mail/example11.eml stated to":                                                         obsolete + ", and so are routes",
	"mikel-mail/example13.eml stated from":                                                       obsolete,
	"mikel-mail/example13.eml stated message_id":                                                 obsolete,
	"mikel-mail/example13.eml from_consensus":                                                    "blanks before the colon are obsolete, and legal (RFC 5322 4.5)",
	"mikel-mail/example13.eml message_id":                                                        "blanks before the colon are obsolete, and legal (RFC 5322 4.5)",
	"mimekit/messages-feedback-report.eml from_consensus":                                        "a byte order mark in front belongs to no name",
	"mikel-mail/multiple_references_with_one_invalid.eml thread_parent":                          "of two References fields both count, and the last id is the nearest",
}
