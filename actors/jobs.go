package actors

import "github.com/parley-im/parley/actors/mailbox"

// jobs carries out a mailbox's jobs part by part: each part is a command like any
// other, and is asked for when the one before it is committed, so that reads and
// other commands come between them. What is left stands in the state; while
// something is, so does a reminder, which brings the mailbox back after a crash.
type jobs struct {
	a     *activation
	state *mailbox.State
	going bool // a part is being decided or committed
	ended bool // the mailbox drains: what is left waits for its next activation
}

func newJobs(a *activation, state *mailbox.State) *jobs {
	j := &jobs{a: a, state: state}
	a.onLoad = append(a.onLoad, j.next)
	a.onCommit = append(a.onCommit, j.next)
	return j
}

// next asks for the next part, unless one is under way.
func (j *jobs) next() {
	if j.going || j.ended || j.a.phase == dead || j.a.readOnly != nil || j.state.Running() == "" {
		return
	}
	j.going = true
	j.a.post(func() {
		j.a.handle(input{cmd: mailbox.Step{}, reply: j.stepped})
	})
}

// stepped runs when a part is committed, or could not be. After a failure the next
// commit tries again, or the next activation.
func (j *jobs) stepped(_ any, err error) {
	j.a.post(func() {
		if j.going = false; err == nil {
			j.next()
		}
	})
}

// busy keeps the activation while anything is left, drafts that are being sent
// included.
func (j *jobs) busy() bool { return !j.ended && j.a.readOnly == nil && j.a.m.work() }
