package mailbox

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/parley-im/parley"
)

func refuseFolder(code parley.Code, field, public string) error {
	return &parley.Error{Code: code, Op: "mailbox.folder", Public: public, Field: field}
}

// createFolder makes a folder or label.
func (d *decider) createFolder(c CreateFolder) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	if err := d.open(); err != nil {
		return err
	}
	ft := d.folders()
	if !c.ID.Valid() || c.ID.IsFixed() {
		return refuseFolder(parley.BadRequest, "", "this is not the id of a folder")
	}
	if ft.find(c.ID) != nil {
		return refuseFolder(parley.Conflict, "", "this key made a folder that is still here")
	}
	if len(ft.Own) >= parley.MaxFolders {
		return refuseFolder(parley.Conflict, "", "there are as many folders as there can be")
	}
	f := OwnFolder{ID: c.ID, Name: plainName(c.Name), Parent: c.Parent, Color: c.Color}
	if err := ft.accepts(f); err != nil {
		return err
	}
	a := Action{Folder: &FolderSet{Folder: f, Created: true}}
	a.Key = d.memory(c.Cmd, parley.KeyLife, Answer{Folder: c.ID})
	d.add(a)
	return nil
}

// changeFolder renames, moves or colours a folder; its messages stay where they are.
func (d *decider) changeFolder(c ChangeFolder) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	ft := d.folders()
	was, err := ft.own(c.ID, c.IfMatch)
	if err != nil {
		return err
	}
	f := *was
	if c.Change.Name != nil {
		f.Name = plainName(*c.Change.Name)
	}
	if c.Change.Parent != nil {
		f.Parent = *c.Change.Parent
	}
	if c.Change.Color != nil {
		f.Color = *c.Change.Color
	}
	if err := ft.accepts(f); err != nil {
		return err
	}
	ans := Answer{Folder: c.ID}
	if f == *was {
		d.addChange(c.Cmd, &Changed{}, ans)
		return nil
	}
	a := Action{Folder: &FolderSet{Folder: f}}
	a.Key = d.memory(c.Cmd, parley.KeyLife, ans)
	d.add(a)
	return nil
}

// own finds a folder that its owner may change, as of a revision; 0 is any.
func (ft *FolderTree) own(id parley.FolderID, ifMatch parley.Revision) (*OwnFolder, error) {
	f := ft.find(id)
	switch {
	case id.IsFixed():
		return nil, refuseFolder(parley.NotPermitted, "", "this folder is in every mailbox and stays as it is")
	case f == nil:
		return nil, notFound("mailbox.folder")
	case ifMatch != 0 && f.Revision != ifMatch:
		return nil, refuseFolder(parley.Stale, "", "the folder has changed since")
	}
	return f, nil
}

// plainName is the one spelling of a name that is stored.
func plainName(name string) string { return strings.TrimSpace(norm.NFC.String(name)) }

var colors = regexp.MustCompile("^(#[0-9a-f]{6})?$")

// accepts judges a folder as it would stand in the tree.
func (ft *FolderTree) accepts(f OwnFolder) error {
	switch {
	case f.Name == "" || utf8.RuneCountInString(f.Name) > parley.MaxFolderName || strings.ContainsFunc(f.Name, unicode.IsControl) || !utf8.ValidString(f.Name):
		return refuseFolder(parley.BadRequest, "name", "a name is one line of 1 to 100 characters")
	case parley.Misleads(f.Name):
		return refuseFolder(parley.BadRequest, "name", "a name has no marks that turn the direction of text")
	case !colors.MatchString(f.Color):
		return refuseFolder(parley.BadRequest, "color", "a color is written #rrggbb")
	}
	if err := ft.holds(f); err != nil {
		return err
	}
	if ft.taken(f) {
		return refuseFolder(parley.Conflict, "name", "there is a folder or label of this name beside it")
	}
	return nil
}

// holds judges the place of a folder: folders are below folders, labels below
// labels, nothing is below itself or below what comes and goes.
func (ft *FolderTree) holds(f OwnFolder) error {
	switch p := f.Parent; {
	case p == "":
	case p.IsLabel() != f.ID.IsLabel():
		return refuseFolder(parley.BadRequest, "parent", "a folder is below a folder, a label below a label")
	case !p.IsFixed() && ft.find(p) == nil:
		return refuseFolder(parley.NotFound, "parent", "there is no such folder")
	case slices.Contains([]parley.FolderID{parley.Spam, parley.Trash, parley.Drafts}, p):
		return refuseFolder(parley.BadRequest, "parent", "this folder has none below it")
	case ft.under(p, f.ID):
		return refuseFolder(parley.BadRequest, "parent", "a folder cannot be below itself")
	}
	if ft.depth(f.Parent)+ft.height(f.ID) > parley.MaxFolderDepth {
		return refuseFolder(parley.BadRequest, "parent", "this is too deep")
	}
	return nil
}
