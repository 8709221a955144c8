package safehtml

import "strings"

// share is what a part of the tree has: words of the author, of others, of a
// signature.
type share struct{ own, history, signature bool }

func (s *share) add(o share) {
	s.own, s.history, s.signature = s.own || o.own, s.history || o.history, s.signature || o.signature
}

func (s share) blank() bool { return s == share{} }

// lift lets a div that holds nothing but the sign of a rest be that sign. It reports
// whether the node has nothing to show.
func (f *folder) lift(n *node) (blank bool) {
	blank = !n.says(f.paths)
	var only *node
	shown := 0
	for _, k := range n.kids {
		if !f.lift(k) {
			only, blank = k, false
			shown++
		}
	}
	if n.name == "div" && shown == 1 && only.role == rest && n.role == plain && n != f.root {
		n.role = rest
	}
	return blank
}

// weigh says what each node has, where around says whose words those around are.
func (f *folder) weigh(n *node, around role) (s share) {
	if n.role == quoted || n.role == introduces || n.role == rest {
		around = quoted
	} else if n.role == signature && around == plain {
		around = signature
	}
	if n.says(f.paths) {
		s = share{own: around == plain, history: around == quoted, signature: around == signature}
	}
	before := n.role == holder && n.holds(func(k *node) bool { return k.role == quoted })
	for _, k := range n.kids {
		within := around
		if before = before && !k.holds(func(k *node) bool { return k.role == quoted }); before {
			within = quoted // what introduces the quote
		}
		s.add(f.weigh(k, within))
		if k.role == rest {
			around = quoted
		}
	}
	f.shares[n] = s
	return s
}

// says reports something to read or to look at: a text, a picture of the message.
func (n *node) says(paths map[string]bool) bool {
	for _, s := range n.text {
		if strings.TrimSpace(s) != "" {
			return true
		}
	}
	for _, a := range n.attrs {
		if n.name == "img" && a.Key == "src" && paths[a.Val] {
			return true
		}
	}
	return false
}
