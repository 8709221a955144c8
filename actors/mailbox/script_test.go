package mailbox_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cockroachdb/datadriven"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// arg is one argument of a line; list is all its values.
func arg(d *datadriven.TestData, key, otherwise string) string {
	if vs := list(d, key); len(vs) > 0 {
		return vs[0]
	}
	return otherwise
}

func list(d *datadriven.TestData, key string) []string {
	for _, a := range d.CmdArgs {
		if a.Key == key {
			return a.Vals
		}
	}
	return nil
}

// flag is nil where the line does not say.
func flag(d *datadriven.TestData, key string) *bool {
	if v := arg(d, key, ""); v != "" {
		return new(v == "yes")
	}
	return nil
}

func number(d *datadriven.TestData, key string, otherwise int) int {
	n, err := strconv.Atoi(arg(d, key, fmt.Sprint(otherwise)))
	if err != nil {
		panic(err)
	}
	return n
}

func folders(d *datadriven.TestData, key string) (out []parley.FolderID) {
	for _, f := range list(d, key) {
		out = append(out, place(f))
	}
	return out
}

// command reads a line as what it asks of the mailbox.
func (s *story) command(d *datadriven.TestData) any {
	cmd := parley.Command{}
	if k := arg(d, "key", ""); k != "" {
		cmd = parley.Command{ID: parley.CommandID(bits(k)), Body: digest(arg(d, "body", ""))}
	}
	ifMatch := parley.Revision(number(d, "if-match", 0))
	switch d.Cmd {
	case "bring":
		r := s.rooms[d.CmdArgs[0].Key]
		return r.bring(number(d, "from", 0), number(d, "to", len(r.seen)))
	case "mail":
		return s.letter(d).command()
	case "again":
		return s.again(d).command()
	case "change":
		c := mailbox.ChangeMessages{Cmd: cmd, IfMatch: ifMatch, Change: change(d)}
		for _, m := range list(d, "of") {
			c.Messages = append(c.Messages, s.message(m))
		}
		return c
	case "thread":
		c := parley.ThreadChange{Change: change(d), Archived: flag(d, "archived"), Muted: flag(d, "muted")}
		return mailbox.ChangeThread{Cmd: cmd, IfMatch: ifMatch, Thread: s.thread(d.CmdArgs[0].Key), Change: c}
	case "delete":
		return mailbox.ChangeThread{Cmd: cmd, IfMatch: ifMatch, Thread: s.thread(d.CmdArgs[0].Key), Op: mailbox.OpDelete}
	case "restore":
		return mailbox.ChangeThread{Cmd: cmd, Thread: s.thread(d.CmdArgs[0].Key), Op: mailbox.OpRestore}
	case "remove":
		return mailbox.DeleteMessage{Cmd: cmd, IfMatch: ifMatch, Message: s.message(d.CmdArgs[0].Key)}
	case "split":
		c := mailbox.SplitThread{Cmd: cmd, IfMatch: ifMatch, Thread: s.thread(d.CmdArgs[0].Key), From: s.messageOr(arg(d, "from", ""))}
		c.NewThread = threadID("split", arg(d, "as", ""))
		s.call(string(c.NewThread), arg(d, "as", ""))
		for _, m := range list(d, "of") {
			c.Messages = append(c.Messages, s.message(m))
		}
		return c
	case "merge":
		return mailbox.MergeThreads{Cmd: cmd, IfMatch: ifMatch, Thread: s.thread(d.CmdArgs[0].Key), With: s.thread("(" + arg(d, "with", "") + ")")}
	case "undo":
		return mailbox.Undo{Cmd: cmd, Revision: parley.Revision(number(d, "rev", 0))}
	case "upload":
		f := d.CmdArgs[0].Key
		return mailbox.Upload{Cmd: cmd, ID: fileID(f), Blob: mailbox.Blob{Digest: digest(f), Name: f, Bytes: 1, At: s.now.UnixMicro()}}
	case "folder", "refolder", "unfolder":
		return s.folder(d, cmd, ifMatch)
	case "close":
		return mailbox.Close{}
	}
	d.Fatalf(s.T, "no such line")
	return nil
}

func change(d *datadriven.TestData) parley.Change {
	return parley.Change{
		Seen: flag(d, "seen"), Flagged: flag(d, "flagged"),
		Folders: folders(d, "folders"), Labels: folders(d, "labels"), Add: folders(d, "add"), Remove: folders(d, "from"),
	}
}

// place is the folder of a name; +boats and #urgent are a folder and a label of one's own.
func place(name string) parley.FolderID {
	switch {
	case strings.HasPrefix(name, "+"):
		return folderID(name)
	case strings.HasPrefix(name, "#"):
		return labelID(name)
	}
	return parley.FolderID(name)
}

func (s *story) folder(d *datadriven.TestData, cmd parley.Command, ifMatch parley.Revision) any {
	id, above := place(d.CmdArgs[0].Key), arg(d, "below", "")
	s.call(string(id), d.CmdArgs[0].Key)
	switch d.Cmd {
	case "folder":
		return mailbox.CreateFolder{Cmd: cmd, ID: id, Name: arg(d, "name", ""), Parent: place(above), Color: arg(d, "color", "")}
	case "refolder":
		c := mailbox.ChangeFolder{Cmd: cmd, ID: id, IfMatch: ifMatch}
		if name := arg(d, "name", ""); name != "" {
			c.Change.Name = &name
		}
		if d.HasArg("below") {
			c.Change.Parent = new(place(above))
		}
		return c
	}
	return mailbox.DeleteFolder{Cmd: cmd, ID: id, IfMatch: ifMatch, Messages: parley.Leaving(arg(d, "messages", ""))}
}

// letter reads a mail; its text is what follows the line.
func (s *story) letter(d *datadriven.TestData) letter {
	s.now = s.now.Add(1e9)
	l := letter{
		id: d.CmdArgs[0].Key, from: arg(d, "by", "ana@out"), to: list(d, "to"), text: d.Input, at: s.now,
		replies: list(d, "reply"), references: list(d, "refs"), index: arg(d, "index", ""),
		import_: d.HasArg("import"), own: d.HasArg("own"), old: d.HasArg("old"), folders: folders(d, "folders"),
		envelope: arg(d, "via", "ana@out"), quota: int64(number(d, "quota", 0)),
	}
	for _, k := range list(d, "keywords") {
		l.keywords = append(l.keywords, parley.Keyword(k))
	}
	s.letters[l.id] = l
	return l
}

// again is a mail that came before, by another way.
func (s *story) again(d *datadriven.TestData) letter {
	s.now = s.now.Add(1e9)
	l := s.letters[d.CmdArgs[0].Key]
	l.at, l.envelope, l.import_ = s.now, arg(d, "via", l.envelope), d.HasArg("import")
	l.folders, l.keywords, l.own = folders(d, "folders"), nil, d.HasArg("own")
	return l
}

func (s *story) messageOr(name string) parley.MessageID {
	if name == "" {
		return ""
	}
	return s.message(name)
}

func (s *story) message(name string) parley.MessageID {
	if room, seq, ok := strings.Cut(name, "/"); ok {
		n, _ := strconv.Atoi(seq)
		return messageID(s.rooms[room].id, n)
	}
	return parley.MessageID(s.id(name))
}

func (s *story) thread(name string) parley.ThreadID { return parley.ThreadID(s.id(name)) }

// id finds what a name was last given to.
func (s *story) id(name string) string {
	if id := s.ids[name]; id != "" {
		return id
	}
	return string(threadID("nothing of this name"))
}

func (s *story) call(id, name string) { s.names[id], s.ids[name] = name, id }
