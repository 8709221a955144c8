package actors

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/parley-im/parley/actors/reminder"
	"github.com/parley-im/parley/actors/wire"
	"github.com/parley-im/parley/persistence"
)

// standing is the reminder that stands while an activation has work left: if the
// process dies, it brings the grain back. One per activation, put
// before the first commit that leaves work, erased when nothing is left.
type standing struct {
	key   []byte   // what stands; nil for nothing that counts on
	busy  bool     // a put or an erase is under way: what needs a reminder waits for it
	calls []func() // of reminders, which came meanwhile
}

func (s *standing) wanted(work bool) bool { return work && s.key == nil }

// reminderVersion is the only version that a reminder's cell ever has: its key is
// never put again after its delete.
const reminderVersion = 1

// reminderRow is the bucket of a grain.
func reminderRow(bucket byte) []byte { return []byte{bucket} }

func bucketOf(kind, id string) byte {
	sum := sha256.Sum256([]byte(kind + "/" + id))
	return sum[0]
}

// change puts or erases beside the loop, one change at a time, then goes on with
// the commit and the calls that waited for it.
func (a *activation) change(do func() error, then func(error)) {
	a.reminder.busy = true
	a.spawn(func() {
		err := do()
		a.post(func() {
			a.reminder.busy = false
			then(err)
			a.commit()
			calls := a.reminder.calls
			a.reminder.calls = nil
			for _, call := range calls {
				call()
			}
		})
	})
}

// arm puts the reminder, for the commit that waits for it.
func (a *activation) arm() {
	if a.reminder.busy {
		return
	}
	key := a.newReminder()
	a.change(func() error { return a.putReminder(key) }, func(err error) {
		switch {
		case a.phase == dead:
		case err != nil:
			a.abandon(fmt.Errorf("arm a reminder: %w", err))
		default:
			a.reminder.key = key
		}
	})
}

func (a *activation) newReminder() []byte {
	due := a.now().Add(a.tune.reminderAfter)
	return reminder.Key(due, string(a.table), a.id, a.epoch, binary.BigEndian.AppendUint64(nil, a.newNonce()))
}

func (a *activation) putReminder(key []byte) error {
	ctx, cancel := context.WithTimeout(a.ctx, a.tune.commitTime)
	defer cancel()
	cell := persistence.Cell{Family: persistence.Remind, Qualifier: key, Version: reminderVersion, Value: []byte{1}}
	return a.store.Put(ctx, persistence.Reminder, reminderRow(bucketOf(string(a.table), a.id)), []persistence.Cell{cell})
}

func (a *activation) eraseReminder(key []byte) error {
	// Not under the activation's context: this is the last thing that it does.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), a.tune.commitTime)
	defer cancel()
	dead := persistence.Dead{Family: persistence.Remind, Qualifier: key, UpTo: reminderVersion}
	return a.store.Erase(ctx, persistence.Reminder, reminderRow(bucketOf(string(a.table), a.id)), dead)
}

// disarm erases the reminder when nothing is left; done runs in the queue, with
// false if the reminder had to stay. It stops counting at once, so that a command
// that comes meanwhile waits and puts another.
func (a *activation) disarm(done func(bool)) {
	key := a.reminder.key
	if a.phase == dead || key == nil && !a.reminder.busy {
		done(true)
		return
	}
	if a.reminder.busy || a.m.work() {
		done(false)
		return
	}
	a.reminder.key = nil
	a.change(func() error { return a.eraseReminder(key) }, func(err error) {
		if err != nil {
			a.reminder.key = key
		}
		done(err == nil)
	})
}

// woken takes the call of a reminder behind the commands so far.
func (a *activation) woken(w wire.Wake, foreign func(), answer func(error)) {
	a.whenReady(func(err error) {
		if err != nil {
			answer(err)
			return
		}
		a.reminded(w.Key, foreign, answer)
	})
}

// reminded is the call of a due reminder. One that this activation put is moved on
// while there is work; one of another activation is erased once what it stood for
// is asked about and stands again. answer runs in the queue.
func (a *activation) reminded(key []byte, foreign func(), answer func(error)) {
	if foreign == nil || string(key) == string(a.reminder.key) {
		a.move(key, foreign, answer)
		return
	}
	a.claim(func(err error) {
		if err != nil {
			answer(err)
			return
		}
		a.move(key, foreign, answer)
	})
}

// claim puts the fence, for who may act only as the owner of the row: whoever
// loaded it before can commit no more, and this activation knows all that they did.
// Without that, the reminder of one that still commits could be erased under it.
func (a *activation) claim(then func(error)) {
	if a.pending == nil {
		a.batch().forced = true
	}
	a.pending.answers = append(a.pending.answers, waiter{send: func() { then(nil) }, refuse: then})
	a.commit()
}

// move replaces a reminder that has called by another one for what is left.
func (a *activation) move(key []byte, foreign func(), answer func(error)) {
	switch {
	case a.phase == dead:
		answer(a.unavailable())
		return
	case a.reminder.busy:
		a.reminder.calls = append(a.reminder.calls, func() { a.move(key, foreign, answer) })
		return
	}
	own := string(key) == string(a.reminder.key)
	if own {
		a.reminder.key = nil
	} else if foreign != nil {
		foreign()
	}
	var fresh []byte
	if a.reminder.key == nil && (a.m.work() || !own && foreign != nil) {
		fresh = a.newReminder()
	}
	a.replace(key, fresh, own, answer)
}

// replace erases a reminder, after another one stands for what is left.
func (a *activation) replace(key, fresh []byte, own bool, answer func(error)) {
	stands := a.reminder.key
	if own {
		stands = key
	}
	a.change(func() error {
		if fresh != nil {
			if err := a.putReminder(fresh); err != nil {
				return err
			}
			stands = fresh
		} else if own {
			stands = nil
		}
		return a.eraseReminder(key)
	}, func(err error) {
		a.reminder.key = stands
		answer(err)
	})
}
