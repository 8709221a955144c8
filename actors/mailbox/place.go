package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// Place is where a message is, and its keywords: what a change changes.
type Place struct {
	Folders  []parley.FolderID
	Before   []parley.FolderID // what restore brings back
	Keywords []parley.Keyword
}

// Places are those of an action's messages, in the order of its groups. Most
// messages have the same: each kind is there once, and Which says whose it is.
// One kind alone is everybody's.
type Places struct {
	Kinds []Place
	Which []uint32
}

func (ps *Places) at(i int) Place {
	if len(ps.Which) > 0 {
		i = int(ps.Which[i])
	} else {
		i = 0
	}
	return ps.Kinds[i]
}

// placesOf keeps each kind once.
func placesOf(all []Place) (ps Places) {
	which := make([]uint32, 0, len(all))
	for _, p := range all {
		i := slices.IndexFunc(ps.Kinds, p.equal)
		if i < 0 {
			i = len(ps.Kinds)
			ps.Kinds = append(ps.Kinds, p)
		}
		which = append(which, uint32(i))
	}
	if len(ps.Kinds) > 1 {
		ps.Which = which
	}
	return ps
}

func (p Place) equal(q Place) bool {
	return slices.Equal(p.Folders, q.Folders) && slices.Equal(p.Before, q.Before) && slices.Equal(p.Keywords, q.Keywords)
}

func (m *Message) place() Place { return Place{m.Folders, m.Before, m.Keywords} }

func (m *Message) put(p Place) {
	m.Folders, m.Before, m.Keywords = slices.Clone(p.Folders), slices.Clone(p.Before), slices.Clone(p.Keywords)
}

// places are those that these messages have now.
func (d *decider) places(groups []Group) Places {
	var all []Place
	for _, g := range groups {
		for _, id := range g.Messages {
			p := Place{}
			if m := d.message(id); m != nil {
				p = m.place()
			}
			all = append(all, p)
		}
	}
	return placesOf(all)
}

// left is what the action left its message number i with.
func (c *Changed) left(i int) Place {
	var m Message
	m.put(c.Was.at(i))
	c.alter(i, &m)
	return m.place()
}

// without takes the change from was to left back from what a message has now. It
// fails where somebody changed the same again since: the folders, or one of the
// keywords. What else changed stays as it is.
func (p Place) without(was, left Place) (Place, bool) {
	if !slices.Equal(was.Folders, left.Folders) {
		if !slices.Equal(p.Folders, left.Folders) {
			return p, false
		}
		p.Folders, p.Before = was.Folders, was.Before
	}
	for _, k := range slices.Concat(was.Keywords, left.Keywords) {
		had, has := slices.Contains(was.Keywords, k), slices.Contains(left.Keywords, k)
		switch {
		case had == has:
		case slices.Contains(p.Keywords, k) != has:
			return p, false
		case had:
			p.Keywords = insert(p.Keywords, k)
		default:
			p.Keywords = slices.DeleteFunc(slices.Clone(p.Keywords), func(h parley.Keyword) bool { return h == k })
		}
	}
	return p, true
}
