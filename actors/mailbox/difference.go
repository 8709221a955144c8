package mailbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parley-im/parley"
)

// differences lists what a mail says otherwise than before, for people. What they
// do not see has a name all the same, since it is changed, too.
func differences(was, now *Message) (out []Difference) {
	put := func(field, a, b string) {
		if a != b {
			out = append(out, Difference{field, a, b})
		}
	}
	put("subject", was.Subject, now.Subject)
	put("author", authorText(was.Author), authorText(now.Author))
	put("to", addressText(was.To), addressText(now.To))
	put("cc", addressText(was.Cc), addressText(now.Cc))
	put("date", dateText(was.At), dateText(now.At))
	put("text", was.Excerpt, now.Excerpt)
	put("html", strconv.FormatBool(was.HasHTML), strconv.FormatBool(now.HasHTML))
	put("attachments", fileText(was.Attachments), fileText(now.Attachments))
	put("message_id", was.MessageID, now.MessageID)
	put("answers", strconv.FormatBool(was.Answers), strconv.FormatBool(now.Answers))
	if !slices.Equal(was.Nodes, now.Nodes) {
		put("references", fmt.Sprint(len(was.Nodes)), fmt.Sprintf("%d, of them %d new", len(now.Nodes), fresh(was.Nodes, now.Nodes)))
	}
	if was.Content != now.Content {
		put("content", "digest "+digestText(was.Content), "digest "+digestText(now.Content))
	}
	return out
}

func fresh(was, now []Hash) (n int) {
	for _, h := range now {
		if !slices.Contains(was, h) {
			n++
		}
	}
	return n
}

func digestText(d parley.Digest) string { return fmt.Sprintf("%x", d[:4]) }

func dateText(micros int64) string { return time.UnixMicro(micros).UTC().Format(time.RFC3339) }

func authorText(a parley.Author) string {
	return strings.TrimSpace(a.Name + " <" + a.Address + ">")
}

func addressText(list []parley.Address) string {
	var out []string
	for _, a := range list {
		out = append(out, strings.TrimSpace(a.Name+" <"+a.Addr+">"))
	}
	return strings.Join(out, ", ")
}

func fileText(list []Attachment) string {
	var out []string
	for _, a := range list {
		s := fmt.Sprintf("%s %q %s %d bytes", a.Path, a.Name, a.Type, a.Size)
		if a.CID != "" {
			s += " cid " + a.CID
		}
		if a.Inline {
			s += " inline"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}
