package edge

import "github.com/parley-im/parley"

// Participant is a person in a room as JSON. It is here since a problem may name
// some: those who came in while somebody wrote.
type Participant struct {
	ID      parley.PartID    `json:"id"`
	Account parley.AccountID `json:"account,omitempty"`
	Address string           `json:"address,omitempty"`
	Name    string           `json:"name"`
	Channel parley.Channel   `json:"channel"`
	Role    parley.Role      `json:"role"`
	State   parley.PartState `json:"state"`
}

// participants shows who is named by a difference; none are left out of the JSON.
func participants(c *parley.RosterChange) (shapes []Participant, version parley.Seq) {
	if c == nil {
		return nil, 0
	}
	for _, p := range c.Added {
		shapes = append(shapes, Participant(p))
	}
	return shapes, c.Version
}
