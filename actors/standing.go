package actors

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/parley-im/parley/actors/reminder"
	"github.com/parley-im/parley/persistence"
)

// standing is the reminder that stands while an activation has work left: if the
// process dies, it brings the grain back (design 3). One per activation, put
// before the first commit that leaves work, erased when nothing is left.
type standing struct {
	key    []byte
	arming bool
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

// arm puts the reminder, then goes on with the commit that waits for it.
func (a *activation) arm() {
	if a.reminder.arming {
		return
	}
	a.reminder.arming = true
	key := a.newReminder()
	a.spawn(func() {
		err := a.putReminder(key)
		a.post(func() {
			a.reminder.arming = false
			if a.phase == dead {
				return
			}
			if err != nil {
				a.abandon(fmt.Errorf("arm a reminder: %w", err))
				return
			}
			a.reminder.key = key
			a.commit()
		})
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
// false if the reminder had to stay.
func (a *activation) disarm(done func(bool)) {
	key := a.reminder.key
	if key == nil || a.phase == dead {
		done(true)
		return
	}
	if a.m.work() {
		done(false)
		return
	}
	a.reminder.arming = true // no other may be put meanwhile
	a.spawn(func() {
		err := a.eraseReminder(key)
		a.post(func() {
			a.reminder.arming = false
			if err == nil {
				a.reminder.key = nil
			}
			done(err == nil)
			a.commit()
		})
	})
}

// reminded is the call of a due reminder. One that this activation put is moved on
// while there is work; one of an earlier activation is erased once what it stood
// for is asked about and stands again. answer runs in the queue.
func (a *activation) reminded(key []byte, foreign func(), answer func(error)) {
	own := string(key) == string(a.reminder.key)
	if !own && foreign != nil {
		foreign()
	}
	var fresh []byte
	if a.m.work() && (own || a.reminder.key == nil) || !own && foreign != nil && a.reminder.key == nil {
		fresh = a.newReminder()
	}
	a.spawn(func() {
		var err error
		if fresh != nil {
			err = a.putReminder(fresh)
		}
		if err == nil {
			err = a.eraseReminder(key)
		}
		a.post(func() {
			if err == nil && fresh != nil {
				a.reminder.key = fresh
			} else if err == nil && own {
				a.reminder.key = nil
			}
			answer(err)
		})
	})
}
