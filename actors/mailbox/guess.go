package mailbox

import "github.com/parley-im/parley"

// Guess names pages that a command will probably touch beside those that Decide
// asks for on an empty state: which lists a room stands in depends on its page,
// but in most rooms the people are those who speak. A wrong guess costs nothing.
func Guess(cmd any, owner parley.AccountID) []Key {
	c, ok := cmd.(Deliver)
	if !ok {
		return nil
	}
	out := []Key{rosterKey(c.Room), blockKey(messageTree(c.Room), 0), blockKey(contactTree, 0)}
	for _, f := range []parley.FolderID{"", parley.Inbox, parley.Sent} {
		out = append(out, blockKey(unreadThreads(f), 0), blockKey(allThreads(f), 0))
	}
	for _, d := range c.Deliveries {
		if d.Actor.Account == owner && d.Message != "" {
			out = append(out, messageKey(d.Message)) // perhaps a draft
		}
		for _, who := range append(d.Peers, d.Actor.Account) {
			if h := PersonHash(string(who)); who != owner {
				out = append(out, blockKey(personTree(h), 0), contactKey(h))
			}
		}
	}
	return out
}
