package actors

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

// meter counts what the grains and their callers do. Labels are kinds of grains
// and small sets of outcomes. Without a registry it counts for nobody.
type meter struct {
	live                      *prometheus.GaugeVec   // by kind
	ended                     *prometheus.CounterVec // by kind, reason
	loads, poison             prometheus.Counter
	load                      prometheus.Histogram
	queued, decided, answered *prometheus.HistogramVec // by kind
	open, parked              prometheus.Gauge
	commits                   *prometheus.CounterVec // by outcome
	commit, together          prometheus.Histogram
	cells, bytes              prometheus.Counter
	actions                   prometheus.Counter
	flushes, flushed          prometheus.Counter
	fetches, pages            prometheus.Counter
	calls                     *prometheus.CounterVec // by kind, outcome
	repeats, leftAlone        prometheus.Counter
	sends                     *prometheus.CounterVec // by outcome
	sending                   prometheus.Gauge
	wakes                     *prometheus.CounterVec // by outcome
	wakeLate                  prometheus.Histogram
	backups, backupsWon       prometheus.Counter
	blobReads                 prometheus.Histogram
	blobsAlone                prometheus.Counter
}

func newMeter(to prometheus.Registerer) *meter {
	r := register{to}
	return &meter{
		live:       r.gauges("live_activations", "Activations in memory.", "kind"),
		ended:      r.counters("ended_activations_total", "Activations that ended, by why: idle, lost (another owns the row), full (no space), failed.", "kind", "reason"),
		loads:      r.counter("activations_total", "Activations that loaded their row."),
		load:       r.seconds("load_seconds", "Time to read a row and to replay its tail."),
		poison:     r.counter("poisoned_total", "Mailboxes made read-only because their log could not be replayed."),
		queued:     r.secondsBy("queue_seconds", "Time that a command waited in its grain's queue, before the grain took it up.", "kind"),
		decided:    r.secondsBy("decision_seconds", "Time from a grain's taking a command up to its decision: its turn, a load, pages.", "kind"),
		answered:   r.secondsBy("command_seconds", "Time from a grain's taking a command up to its answer, the commit included.", "kind"),
		open:       r.gauge("open_commands", "Commands that grains took up and have not answered."),
		parked:     r.gauge("parked_reads", "Reads that wait for a revision or for the next event."),
		commits:    r.counters("commits_total", "Fenced puts, by outcome: ok, lost, full, unknown, failed.", "outcome"),
		commit:     r.seconds("commit_seconds", "Time of a fenced put."),
		together:   r.sizes("commit_answers", "Answers that waited for one put."),
		cells:      r.counter("committed_cells_total", "Cells in fenced puts."),
		bytes:      r.counter("committed_bytes_total", "Bytes of values in fenced puts."),
		actions:    r.counter("committed_actions_total", "Actions in fenced puts."),
		flushes:    r.counter("flushes_total", "Fenced puts that carried the projection."),
		flushed:    r.counter("flushed_pages_total", "Pages in these."),
		fetches:    r.counter("fetches_total", "Reads of pages that a command lacked."),
		pages:      r.counter("fetched_pages_total", "Pages asked for in these reads."),
		calls:      r.counters("calls_total", "Attempts to call a grain, by outcome: ok, refused, unavailable, busy (not begun).", "kind", "outcome"),
		repeats:    r.counter("repeated_calls_total", "Calls made again after one that was Unavailable."),
		leftAlone:  r.counter("breaker_openings_total", "Times that a grain was left alone since it mostly failed."),
		sends:      r.counters("fanout_sends_total", "Deliveries of rooms to copies, by outcome: ok, gone, failed.", "outcome"),
		sending:    r.gauge("fanout_running_sends", "Deliveries under way."),
		wakes:      r.counters("reminders_total", "Calls of reminders that were due, by outcome: ok, failed.", "outcome"),
		wakeLate:   r.seconds("reminder_late_seconds", "Time from when a reminder was due to its call; after a start it is all the time since."),
		backups:    r.counter("blob_backup_reads_total", "Reads of blobs made a second time because the first was slow."),
		backupsWon: r.counter("blob_backup_reads_won_total", "Of these, those that were faster."),
		blobReads:  r.seconds("blob_read_seconds", "Time of a read of a blob, back-up included."),
		blobsAlone: r.counter("blob_breaker_openings_total", "Times that the blob store was left alone since it mostly failed."),
	}
}

// begun counts an activation, ends its end.
func (m *meter) begun(kind persistence.Table) { m.live.WithLabelValues(string(kind)).Inc() }

func (m *meter) ends(kind persistence.Table, err error) {
	m.live.WithLabelValues(string(kind)).Dec()
	m.ended.WithLabelValues(string(kind), whyEnded(err)).Inc()
}

func whyEnded(err error) string {
	switch {
	case errors.Is(err, errMoved):
		return "idle"
	case errors.Is(err, errLost):
		return "lost"
	case errors.Is(err, persistence.ErrNoSpace):
		return "full"
	}
	return "failed"
}

// put counts a batch that is about to be committed.
func (m *meter) put(cells []persistence.Cell, b *batch) {
	m.cells.Add(float64(len(cells)))
	m.actions.Add(float64(b.actions))
	m.together.Observe(float64(len(b.answers)))
	size := 0
	for _, c := range cells {
		size += len(c.Value)
	}
	m.bytes.Add(float64(size))
}

// committed counts the outcome of a put.
func (m *meter) committed(took time.Duration, err error) {
	m.commit.Observe(took.Seconds())
	m.commits.WithLabelValues(commitOutcome(err)).Inc()
}

func commitOutcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, persistence.ErrCheckFailed):
		return "lost"
	case errors.Is(err, persistence.ErrNoSpace):
		return "full"
	case persistence.Ambiguous(err):
		return "unknown"
	}
	return "failed"
}

func (m *meter) fetch(pages int) {
	m.fetches.Inc()
	m.pages.Add(float64(pages))
}

// called counts one attempt to reach a grain.
func (m *meter) called(kind string, err error) {
	m.calls.WithLabelValues(kind, callOutcome(err)).Inc()
}

// woken counts the call of a reminder that was due so long ago.
func (m *meter) woken(late time.Duration, err error) {
	m.wakeLate.Observe(max(0, late.Seconds()))
	outcome := "ok"
	if err != nil {
		outcome = "failed"
	}
	m.wakes.WithLabelValues(outcome).Inc()
}

func callOutcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case grainFailed(err):
		return "unavailable"
	case parley.CodeOf(err) == parley.Unavailable:
		return "busy"
	}
	return "refused"
}
