package torture

import (
	"context"

	"github.com/parley-im/parley"
)

func (y *player) create(ctx context.Context, d Door) {
	o := &Op{Kind: Create, Who: y.who, History: parley.HistoryJoined, Open: y.rng.IntN(2) == 0, First: y.rng.IntN(3) > 0}
	if y.rng.IntN(3) == 0 {
		o.History = parley.HistoryAll
	}
	o.To = y.p.others(y.who)
	y.rng.Shuffle(len(o.To), func(i, j int) { o.To[i], o.To[j] = o.To[j], o.To[i] })
	o.To = o.To[:1+y.rng.IntN(len(o.To))]
	y.p.H.begin(o)
	o.Text = "first " + o.Word
	o.Room = y.p.Secret.Thread(y.p.Secret.Command(y.p.People[y.who].Account, o.Key))
	y.p.addRoom(o.Room)
	if y.carry(ctx, d, o); o.Outcome == Done {
		y.seqs[o.Room] = 0
	}
}

// post says something short, long, or too long for a row; with a file, an answer
// or a mention now and then.
func (y *player) post(ctx context.Context, d Door, room parley.ThreadID) {
	o := &Op{Kind: Post, Who: y.who, Room: room}
	size := y.rng.IntN(200)
	switch n := y.rng.IntN(100); {
	case n < 6:
		size = 33_000 + y.rng.IntN(20_000)
	case n < 15:
		size = 3000 + y.rng.IntN(3000)
	}
	if len(y.files) > 0 && y.rng.IntN(5) == 0 {
		o.Files = []*Op{y.files[y.rng.IntN(len(y.files))]}
	}
	if m := y.pick(); m != nil && m.Seq > 0 && m.Thread == room && y.rng.IntN(4) == 0 {
		o.ReplyTo = m.ID
	}
	if len(y.parts) > 0 && y.rng.IntN(6) == 0 {
		o.Parts = []parley.PartID{y.parts[y.rng.IntN(len(y.parts))]}
	}
	y.p.H.begin(o)
	o.Text = filler(o.Word, size)
	y.carry(ctx, d, o)
}

// filler is a text of about this size in which the word stands first and last.
func filler(word string, size int) string {
	text := []byte(word)
	for i := 0; len(text) < size; i++ {
		text = append(text, " lorem ipsum dolor "[i%19])
	}
	return string(append(append(text, ' '), word...))
}

func (y *player) rename(ctx context.Context, d Door, room parley.ThreadID) {
	o := &Op{Kind: Rename, Who: y.who, Room: room}
	y.p.H.begin(o)
	subject := "now " + o.Word
	o.Thread = parley.ThreadChange{Subject: &subject}
	y.carry(ctx, d, o)
}
