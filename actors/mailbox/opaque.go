package mailbox

import "github.com/parley-im/parley"

// Opaque is the same mail without anything that was understood of it: what is
// stored when deciding about it failed. Its raw bytes stay.
func (c DeliverMail) Opaque() any {
	m := c.Message
	c.Message = Message{ID: m.ID, Channel: m.Channel, Subject: "(unreadable message)", At: m.Received, Received: m.Received,
		Size: m.Size, Body: m.Body, Content: m.Content}
	c.Nodes = []Hash{ReferenceHash(string(m.ID))}
	c.Signals, c.Evidence = []parley.Signal{parley.SignalNew}, []string{""}
	return c
}
