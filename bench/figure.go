package bench

import (
	"fmt"
	"slices"
)

// Figure is one measured number: a count, or a ratio to a limit of the machine
// that was measured in the same run.
type Figure struct {
	Group   string  `json:"group"`
	Name    string  `json:"name"`    // what was done
	Measure string  `json:"measure"` // what was counted, or the ratio of what to what
	Value   float64 `json:"value"`
	AtMost  float64 `json:"atMost,omitempty"`  // the budget; 0: none
	AtLeast float64 `json:"atLeast,omitempty"` // the budget; 0: none
}

// Within reports whether the figure keeps its budget.
func (f Figure) Within() bool {
	return (f.AtMost == 0 || f.Value <= f.AtMost) && (f.AtLeast == 0 || f.Value >= f.AtLeast)
}

func (f Figure) String() string {
	return fmt.Sprintf("%s: %s: %s %s", f.Group, f.Name, f.text(), f.Measure)
}

// text is the value and the budget that it is held to.
func (f Figure) text() string {
	out := number(f.Value)
	switch {
	case f.AtMost != 0:
		out += fmt.Sprintf(" (at most %g)", f.AtMost)
	case f.AtLeast != 0:
		out += fmt.Sprintf(" (at least %g)", f.AtLeast)
	}
	if !f.Within() {
		out += " MISSED"
	}
	return out
}

// figures collects those of one group.
type figures struct {
	group string
	all   []Figure
}

func (fs *figures) add(name, measure string, value float64) *Figure {
	fs.all = append(fs.all, Figure{Group: fs.group, Name: name, Measure: measure, Value: value})
	return &fs.all[len(fs.all)-1]
}

func (fs *figures) get(name, measure string) *Figure {
	i := slices.IndexFunc(fs.all, func(f Figure) bool { return f.Name == name && f.Measure == measure })
	return &fs.all[i]
}

// Find returns the figures of one measure whose name is given.
func Find(fs []Figure, name, measure string) (Figure, bool) {
	for _, f := range fs {
		if f.Name == name && f.Measure == measure {
			return f, true
		}
	}
	return Figure{}, false
}
