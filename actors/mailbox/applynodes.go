package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// maxSameID bounds how many messages one Message-ID leads to.
const maxSameID = 32

// side is the thread that a node belongs to, through aliases; "" if there is none.
func (t *tx) side(n *Node) parley.ThreadID {
	if n == nil {
		return ""
	}
	if th := t.resolve(n.Thread); th != nil {
		return th.ID
	}
	return ""
}

func (t *tx) putNode(h Hash, n *Node, id parley.ThreadID) {
	out := &Node{Thread: id}
	if n != nil {
		out.Messages = slices.Clone(n.Messages)
	}
	t.put(nodeKey(h), out)
}

// fileNodes ties a message's ids to its thread: its own, and of those it refers to
// the ones that no thread has yet. Where a split lies between the message and
// what it refers to, a name that nobody has heard of before belongs to the thread
// of the nearest known one before it. Nodes are in that order: the message's own,
// then what it answers, the farthest last.
func (t *tx) fileNodes(m *Message) {
	side := m.Thread
	for i, h := range slices.Backward(m.Nodes) {
		n := t.node(h)
		has := t.side(n)
		switch {
		case i == 0 && (n == nil || len(n.Messages) == 0), has == "":
			if i == 0 {
				side = m.Thread
			}
			t.putNode(h, n, side)
		default:
			side = has
			t.putNode(h, n, has)
		}
	}
	if len(m.Nodes) == 0 {
		return
	}
	own := t.node(m.Nodes[0])
	if own != nil && len(own.Messages) < maxSameID && !slices.Contains(own.Messages, m.ID) {
		t.put(nodeKey(m.Nodes[0]), &Node{Thread: own.Thread, Messages: append(slices.Clone(own.Messages), m.ID)})
	}
}

// forgetNode takes a message from under its own Message-ID.
func (t *tx) forgetNode(m *Message) {
	if len(m.Nodes) == 0 {
		return
	}
	if n := t.node(m.Nodes[0]); n != nil {
		left := slices.DeleteFunc(slices.Clone(n.Messages), func(id parley.MessageID) bool { return id == m.ID })
		t.put(nodeKey(m.Nodes[0]), &Node{Thread: n.Thread, Messages: left})
	}
}

// joinNodes ties what a message of a merged thread touches to where that went.
// What a split keeps apart from both stays where it is.
func (t *tx) joinNodes(m *Message, from, into parley.ThreadID) {
	for _, h := range m.Nodes {
		n := t.node(h)
		if has := t.side(n); has == from || has == into || has == "" {
			t.putNode(h, n, into)
		}
	}
}

// splitNodes ties the ids of messages that were split off to their new thread:
// their own, unless another message under the same id stayed behind, and the
// names that nobody has, where the nearest known one before them went along.
func (t *tx) splitNodes(ms []*Message, into parley.ThreadID) {
	for _, m := range ms {
		if len(m.Nodes) == 0 {
			continue
		}
		n := t.node(m.Nodes[0])
		stayed := n != nil && slices.ContainsFunc(n.Messages, func(id parley.MessageID) bool {
			other := t.message(id)
			return other != nil && other.Thread != into
		})
		if !stayed {
			t.putNode(m.Nodes[0], n, into)
		}
	}
	for _, m := range ms {
		side := parley.ThreadID("")
		for _, h := range slices.Backward(m.Nodes) {
			n := t.node(h)
			switch {
			case n != nil && len(n.Messages) > 0:
				side = t.side(n)
			case side == into:
				t.putNode(h, n, into)
			}
		}
	}
}
