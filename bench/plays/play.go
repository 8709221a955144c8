package plays

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/bench/torture"
)

// play is one seeded story.
type play struct {
	ctx    context.Context
	rng    *rand.Rand
	house  *house
	people []*person
	rooms  []*room
	mail   []letter // that was sent
	past   []past   // what may be repeated

	steps, requests int
	acted, did      Tally // steps by act; requests carried out, by operation
	words           int
	script          []string // the last of it
}

// Result counts what a play did.
type Result struct {
	Steps, Requests, Rooms, Messages int
	Acted                            Tally    // steps by act
	Did                              Tally    // what was carried out, by operation
	Lacks                            []string // operations of the document that were not
}

// difference ends a play.
type difference struct{ text string }

// scriptLines is how much of a play is told when it ends with a difference.
const scriptLines = 60

// Run plays so many steps of a seed. Its error is the first difference between an
// answer and the world, with the last steps.
func Run(ctx context.Context, seed uint64, steps int) (res Result, err error) {
	p := &play{ctx: ctx, acted: Tally{}, did: Tally{}, rng: rand.New(rand.NewPCG(seed, 0)), house: &house{fs: vfs.NewMem(), clock: torture.NewClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))}}
	defer func() {
		switch d := recover().(type) {
		case nil:
		case difference:
			err = p.told(seed, d)
		default:
			panic(d)
		}
		res = Result{Steps: p.steps, Requests: p.requests, Rooms: len(p.rooms), Acted: p.acted, Did: p.did, Lacks: p.house.operations.lacks(p.did)}
		for _, who := range p.people {
			res.Messages += len(who.box.notes)
		}
		if p.house.life != nil {
			err = errors.Join(err, p.house.close(ctx, false))
		}
	}()
	if err := p.house.open(); err != nil {
		return res, err
	}
	if err := p.enrol(5, 2); err != nil {
		return res, err
	}
	for p.steps < steps {
		p.step()
	}
	p.close()
	return res, nil
}

func (p *play) told(seed uint64, d difference) error {
	text := fmt.Sprintf("seed %d, step %d: %s\nthe last steps, the newest first:\n", seed, p.steps, d.text)
	for _, line := range slices.Backward(p.script) {
		text += line + "\n"
	}
	return errors.New(text)
}

func (p *play) fail(format string, args ...any) { panic(difference{fmt.Sprintf(format, args...)}) }

func (p *play) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if len(line) > 600 {
		line = line[:600]
	}
	if p.script = append(p.script, fmt.Sprint(p.steps, " ", line)); len(p.script) > scriptLines {
		p.script = slices.Delete(p.script, 0, 1)
	}
}

// enrol makes people with an account and several clients each.
func (p *play) enrol(people, clients int) error {
	for _, name := range []string{"ana", "bo", "cy", "di", "ed"}[:people] {
		who := &person{name: name, address: name + "@example.org"}
		command := func(what string) parley.Command { // a seed gives the same ids again
			return parley.Command{ID: torture.Secret().Command("", what+" "+name), First: p.house.clock.Now()}
		}
		acc, _, err := p.house.life.Directory.Create(p.ctx, command("account"), parley.Account{Name: name, Addresses: []string{who.address}}, "")
		if err != nil {
			return err
		}
		who.id, who.box = acc.ID, newBox(who, p.house.clock)
		for i := range clients {
			t := parley.Token{Name: "play", Scopes: []parley.Scope{parley.ScopeRead, parley.ScopeWrite, parley.ScopeSend, parley.ScopeManage}}
			_, secret, _, err := p.house.life.Directory.CreateToken(p.ctx, command(fmt.Sprint("token ", i)), acc.ID, t)
			if err != nil {
				return err
			}
			who.clients = append(who.clients, &client{name: fmt.Sprint(name, i+1), token: secret, owner: who, mirror: newMirror()})
		}
		p.people = append(p.people, who)
	}
	return nil
}

// act is an operation and how often it is drawn.
type act struct {
	name   string
	weight int
	do     func(p *play, c *client)
}

// acts are all operations, in a fixed order, so that a seed repeats a play.
var acts = []act{
	{"create", 3, (*play).create}, {"post", 24, (*play).post}, {"join", 4, (*play).join}, {"leave", 3, (*play).leave}, {"add", 5, (*play).add}, {"remove", 2, (*play).remove},
	{"promote", 3, (*play).promote}, {"alter", 3, (*play).alter}, {"upload", 2, (*play).upload},
	{"changeMessage", 12, (*play).changeMessage}, {"changeThread", 8, (*play).changeThread}, {"deleteMessage", 7, (*play).deleteMessage}, {"deleteThread", 5, (*play).deleteThread}, {"restoreThread", 5, (*play).restoreThread},
	{"write", 10, (*play).write},
	{"makeFolder", 2, (*play).makeFolder}, {"changeFolder", 1, (*play).changeFolder}, {"deleteFolder", 1, (*play).deleteFolder},
	{"readThread", 6, (*play).readThread}, {"readMessages", 8, (*play).readMessages}, {"readThreads", 10, (*play).readThreads}, {"readNumbered", 4, (*play).readNumbered}, {"readFolders", 5, (*play).readFolders}, {"readFolder", 2, (*play).readFolder}, {"readMailbox", 4, (*play).readMailbox},
	{"readMessage", 3, (*play).readMessage}, {"readRoster", 2, (*play).readRoster}, {"readBlob", 2, (*play).readBlob}, {"readRaw", 1, (*play).readRaw},
	{"changeMany", 4, (*play).changeMany}, {"readAll", 2, (*play).readAll}, {"readJobs", 1, (*play).readJobs},
	{"beginDraft", 5, (*play).beginDraft}, {"changeDraft", 4, (*play).changeDraft}, {"discardDraft", 1, (*play).discardDraft},
	{"sendDraft", 5, (*play).sendDraft}, {"readDrafts", 3, (*play).readDrafts},
	{"undo", 6, (*play).undo}, {"split", 4, (*play).split}, {"merge", 3, (*play).merge}, {"makeRoom", 2, (*play).makeRoom},
	{"batch", 4, (*play).batch}, {"repeat", 5, (*play).repeat}, {"follow", 2, (*play).follow},
}

// step is one operation by one client. Now and then the server is closed and opened.
func (p *play) step() {
	p.steps++
	pause := 1 + p.rng.IntN(400)
	if p.chance(3) {
		pause += 20_000 // what was read is no longer fresh
	}
	p.house.clock.Step(time.Duration(pause) * time.Millisecond)
	if p.steps%500 == 0 {
		p.restart()
	}
	who := p.people[p.rng.IntN(len(p.people))]
	c := who.clients[p.rng.IntN(len(who.clients))]
	total := 0
	for _, a := range acts {
		total += a.weight
	}
	n := p.rng.IntN(total)
	for _, a := range acts {
		if n -= a.weight; n < 0 {
			p.acted[a.name]++
			a.do(p, c)
			return
		}
	}
}

// restart ends the server, with a drain or without, and begins again on what is stored.
func (p *play) restart() {
	drain := p.rng.IntN(2) == 0
	p.note("restart, drained: %v", drain)
	for _, who := range p.people {
		p.settle(who)
	}
	err := p.house.close(p.ctx, drain)
	if err == nil {
		err = p.house.open()
	}
	if err != nil {
		p.fail("restart: %v", err)
	}
}

// close lets everything arrive and compares all there is.
func (p *play) close() {
	for _, who := range p.people {
		p.settle(who)
		p.compare(who)
		for _, c := range who.clients {
			p.follow(c)
			c.mirror.compare(p, who.box)
		}
	}
	report, err := p.house.life.Node.Audit(p.ctx, func(int64, int64) {})
	if err != nil {
		p.fail("audit: %v", err)
	}
	if len(report.Problems) > 0 {
		p.fail("audit: %v", report.Problems)
	}
	p.closeAccount()
}

// settle waits until everything that is on its way to a copy has come.
func (p *play) settle(who *person) {
	b := who.box
	if len(b.owed) == 0 {
		return
	}
	to := b.revision + parley.Revision(len(b.owed))
	b.take(len(b.owed))
	if b.revision != to {
		p.fail("the world counts wrong: %d, want %d", b.revision, to)
	}
	a := p.come(who.clients[0], fmt.Sprintf("/mailbox?at_least=%d", to))
	p.wants(a, 200, done)
	equal(p, "figures of "+who.name, into[mailboxShape](p, a), b.stats())
}

// come reads what a room has still to deliver. A busy machine may need more than
// the wait of one request, which says so by behind.
func (p *play) come(c *client, path string) (a answer) {
	if a = p.send(c, request{method: "GET", path: path}); a.status != 503 {
		return a
	}
	p.house.waiting(func() {
		for range 12 {
			if a = p.send(c, request{method: "GET", path: path}); a.status != 503 {
				break
			}
		}
	})
	return a
}

// settleOthers lets every copy have what other rooms owe it, so that what two rooms
// owe never races.
func (p *play) settleOthers(r *room) {
	for _, who := range p.people {
		if slices.ContainsFunc(who.box.owed, func(o owed) bool { return o.r != r }) {
			p.settle(who)
		}
	}
}

// seen is how much of what is owed had come when an answer was made.
func (p *play) seen(b *box, a answer) {
	n := int(a.revision) - int(b.revision)
	if n < 0 || n > len(b.owed) {
		p.fail("an answer at revision %d, the copy was at %d and is owed %d", a.revision, b.revision, len(b.owed))
	}
	b.take(n)
}

// word is a text that nothing else has.
func (p *play) word() string {
	p.words++
	return fmt.Sprintf("word%d of %s", p.words, [...]string{"boats", "tea", "rain and wind", "the harbour"}[p.rng.IntN(4)])
}

func (p *play) key() string { return fmt.Sprintf("key-%d", p.rng.Uint64()) }

func (p *play) chance(percent int) bool { return p.rng.IntN(100) < percent }

// pick draws one, or the zero value of nothing.
func pick[T any](p *play, list []T) (none T) {
	if len(list) == 0 {
		return none
	}
	return list[p.rng.IntN(len(list))]
}
