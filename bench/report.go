package bench

import (
	"encoding/json"
	"io"
	"runtime"
)

// Report is what a run has measured, and on what.
type Report struct {
	Go      string   `json:"go"`
	System  string   `json:"system"`
	CPUs    int      `json:"cpus"`
	Limits  Limits   `json:"limits"`
	Figures []Figure `json:"figures"`
}

// NewReport is a report of this machine without a figure.
func NewReport() *Report {
	return &Report{Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.GOMAXPROCS(0)}
}

// Missed lists the figures that do not keep their budget.
func (r *Report) Missed() (missed []Figure) {
	for _, f := range r.Figures {
		if !f.Within() {
			missed = append(missed, f)
		}
	}
	return missed
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
