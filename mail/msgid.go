package mail

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// NormalizeID gives a Message-ID as it is compared: without <>, white space and
// comments (RFC 5322 3.6.4 and 4.5.4), case kept. "" means that it is none.
func NormalizeID(s string) string {
	s = strings.Join(strings.Fields(oneLine(s)), "")
	s, _, _ = strings.Cut(s, ">")
	s = s[strings.LastIndexByte(s, '<')+1:]
	if len(s) > MaxIDBytes {
		return ""
	}
	bare := dropComments(s)
	if left, right, ok := strings.Cut(bare, "@"); ok && left != "" && right != "" {
		return bare
	}
	return s // the "comment" was the id itself
}

// firstID reads the value of Message-ID or Content-ID.
func firstID(raw []byte) string {
	if raw == nil {
		return ""
	}
	if ids := parseIDs(raw, 1); len(ids) > 0 {
		return ids[0]
	}
	return NormalizeID(string(raw[:min(len(raw), 2*MaxIDBytes)]))
}

// parseIDs reads the ids of References or In-Reply-To. Only what stands in <>
// counts, since the obsolete syntax has phrases beside the ids (RFC 5322
// 4.5.4); without any, words that look like ids do. keep bounds the list: the
// first and the last ones stay.
func parseIDs(raw []byte, keep int) []string {
	s := oneLine(unfold(string(raw)))
	var ids []string
	add := func(id string) {
		if id = NormalizeID(id); id == "" || slices.Contains(ids[max(0, len(ids)-3):], id) {
			return
		}
		if len(ids) >= 2*keep+2 {
			ids = slices.Delete(ids, 1, len(ids)-keep+1)
		}
		ids = append(ids, id)
	}
	for rest := s; ; {
		_, after, ok := strings.Cut(rest, "<")
		if !ok {
			break
		}
		end := strings.IndexAny(after, "><")
		if end < 0 {
			end = len(after)
		}
		if closed := end < len(after) && after[end] == '>'; closed || strings.Contains(after[:end], "@") {
			add(after[:end])
		}
		rest = after[end:]
	}
	if len(ids) == 0 {
		for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
			if at := strings.IndexByte(w, '@'); at > 0 && at < len(w)-1 {
				add(w)
			}
		}
	}
	if len(ids) > keep && keep > 1 {
		ids = slices.Delete(ids, 1, len(ids)-keep+1)
	}
	return ids
}

// ids joins the ids of all fields of that name.
func (h Header) ids(name string) []string {
	var all []byte
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			all = append(append(all, ' '), f.Raw...)
		}
	}
	if all == nil {
		return nil
	}
	return parseIDs(all, MaxReferences)
}

// RefChain lists the ids by which a message finds its thread, the strongest
// first: In-Reply-To, the last first, then References, the last first. No id
// stands twice, and the message's own is left out.
func (m *Message) RefChain() []string {
	chain := make([]string, 0, len(m.InReplyTo)+len(m.References))
	seen := map[string]bool{"": true, m.MessageID: true}
	for _, list := range [...][]string{m.InReplyTo, m.References} {
		for _, id := range slices.Backward(list) {
			if !seen[id] {
				seen[id] = true
				chain = append(chain, id)
			}
		}
	}
	return chain
}

// threadIndex reads Exchange's Thread-Index: the first 22 bytes name the
// thread, five more each answer. It gives the 22 in hex, or "".
func threadIndex(raw []byte) string {
	s := strings.Join(strings.Fields(string(raw[:min(len(raw), MaxIDBytes)])), "")
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil || len(b) < 22 {
		return ""
	}
	return hex.EncodeToString(b[:22])
}

// listID reads List-Id (RFC 2919 3), compared without case.
func listID(s string) string {
	if i := strings.LastIndexByte(s, '<'); i >= 0 {
		s, _, _ = strings.Cut(s[i+1:], ">")
	}
	return strings.ToLower(cut(strings.Join(strings.Fields(s), ""), 255))
}

// keyword reads the word before parameters and comments, as in Auto-Submitted (RFC 3834 5).
func keyword(s string) string {
	if i := strings.IndexAny(s, ";( "); i >= 0 {
		s = s[:i]
	}
	return strings.ToLower(cut(s, 64))
}
