package actors

import "github.com/prometheus/client_golang/prometheus"

// meter counts what activations do.
type meter struct {
	commits, cells, actions, loads, fetches, pages, poison prometheus.Counter
}

func newMeter(r prometheus.Registerer) *meter {
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: "parley_actors_" + name, Help: help})
		if r != nil {
			r.MustRegister(c)
		}
		return c
	}
	return &meter{
		commits: counter("commits_total", "Fenced puts that activations started."),
		cells:   counter("committed_cells_total", "Cells in these puts."),
		actions: counter("committed_actions_total", "Actions in these puts."),
		loads:   counter("activations_total", "Activations that loaded their row."),
		fetches: counter("fetches_total", "Reads of pages that a command lacked."),
		pages:   counter("fetched_pages_total", "Pages asked for in these reads."),
		poison:  counter("poisoned_total", "Mailboxes made read-only because their log could not be replayed."),
	}
}

func (m *meter) commit(cells, actions int) {
	m.commits.Inc()
	m.cells.Add(float64(cells))
	m.actions.Add(float64(actions))
}

func (m *meter) fetch(pages int) {
	m.fetches.Inc()
	m.pages.Add(float64(pages))
}

func (m *meter) loaded()   { m.loads.Inc() }
func (m *meter) poisoned() { m.poison.Inc() }
