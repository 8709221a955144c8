package demo

import (
	"context"
	"crypto/rand"
	"iter"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/client"
	"github.com/parley-im/parley/cmd/parley/verb"
)

// person has an account, and a client with which a program speaks for it.
type person struct {
	*client.Client
	house   *house
	name    string // first name, for the story
	address string
	token   string
}

// settle makes the account and the token.
func (p *person) settle(ctx context.Context, fullName string) (err error) {
	_, err = p.house.run(ctx, &verb.AccountAdd{Address: p.address, FullName: fullName, PasswordStdin: true}, rand.Text())
	if err != nil {
		return err
	}
	p.token, err = p.house.run(ctx, &verb.Token{Address: p.address, Label: "demo", Scopes: []parley.Scope{"read", "write", "send"}}, "")
	if err != nil {
		return err
	}
	return p.connect()
}

// connect speaks to the house where it is now: a server that was started again
// has another port.
func (p *person) connect() (err error) {
	p.Client, err = client.New(client.Config{BaseURL: p.house.url(), Token: p.token})
	return err
}

// few is a page, as a phone would ask for.
const few = 4

// threads lists all threads of a folder; "" is all but Spam and Trash.
func (p *person) threads(ctx context.Context, folder client.FolderID) ([]client.Thread, error) {
	return collect(p.AllThreads(ctx, client.ListThreadsParams{Folder: folder, Limit: few}))
}

// messages lists a thread as the own copy has it, the oldest first.
func (p *person) messages(ctx context.Context, thread client.ThreadID) ([]client.Message, error) {
	return collect(p.AllMessages(ctx, thread, client.ListMessagesParams{Limit: few}))
}

func collect[T any](all iter.Seq2[T, error]) (items []T, err error) {
	for item, err := range all {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}
