package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"syscall"

	"github.com/parley-im/parley/client"
)

// open starts a server for an example; ana and bo live there.
func open() (ana, bo *client.Client, close func()) {
	p, people, err := start("ana", "bo")
	if err != nil {
		log.Fatal(err)
	}
	return people[0], people[1], func() { p.stop(syscall.SIGTERM) }
}

func Example() {
	ana, bo, close := open() // client.New(client.Config{BaseURL: "https://parley.example.org/v1", Token: token})
	defer close()
	ctx := context.Background()

	room, err := ana.CreateRoom(ctx, client.NewRoom{
		Subject: "Saturday", To: []client.Recipient{{Address: "bo@example.org"}}, Message: &client.FirstPost{Text: "Who is in?"},
	})
	if err != nil {
		log.Fatal(err)
	}
	var posted client.Answer
	if _, err := ana.PostMessage(ctx, room.ID, client.Post{Text: "Nine at the quay."}, client.Keep(&posted)); err != nil {
		log.Fatal(err)
	}
	// A read at least as new as the own write.
	for m, err := range ana.AllMessages(ctx, room.ID, client.ListMessagesParams{}, client.AtLeast(posted.Revision)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Author.Name+":", m.Text)
	}
	_, err = bo.GetThread(ctx, "thr_unknown")
	fmt.Println("bo:", err != nil)
	// Output:
	// Ana: Who is in?
	// Ana: Nine at the quay.
	// bo: true
}

// A refusal is a *Problem with a code to branch on; any other error leaves open
// what happened.
func ExampleProblem() {
	ana, _, close := open()
	defer close()
	_, err := ana.CreateRoom(context.Background(), client.NewRoom{To: []client.Recipient{{Address: "nobody@example.org"}}})
	p := (*client.Problem)(nil)
	if errors.As(err, &p) {
		fmt.Println(p.Status, p.Code, p.RequestID != "")
	}
	// Output: 422 bad_address true
}

// Events yields each event once and goes on when the connection breaks.
func ExampleClient_Events() {
	ana, bo, close := open()
	defer close()
	ctx := context.Background()
	box, err := bo.GetMailbox(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := ana.CreateRoom(ctx, client.NewRoom{To: []client.Recipient{{Address: "bo@example.org"}}, Message: &client.FirstPost{Text: "Hello"}}); err != nil {
		log.Fatal(err)
	}
	for e, err := range bo.Events(ctx, fmt.Sprint(box.Revision)) {
		if err != nil {
			log.Fatal(err)
		}
		if e.Type == client.EventTypeMessageCreated {
			m, err := bo.GetMessage(ctx, e.Data.Message)
			if err == nil && m.Kind == client.MessageKindMessage {
				fmt.Println(m.Text)
				break
			}
		}
	}
	// Output: Hello
}

// What can be read again from its beginning is sent again when the connection
// breaks.
func ExampleClient_UploadBlob() {
	ana, _, close := open()
	defer close()
	ctx := context.Background()
	a, err := ana.UploadBlob(ctx, strings.NewReader("day,high,low\nSaturday,09:12,15:31\n"), client.UploadBlobParams{Name: "tides.csv"}, client.ContentType("text/csv"))
	if err != nil {
		log.Fatal(err)
	}
	part, err := ana.GetBlob(ctx, a.Blob, client.GetBlobParams{Range: client.ByteRange(13, 20)})
	if err != nil {
		log.Fatal(err)
	}
	defer part.Close()
	text, err := io.ReadAll(part)
	fmt.Println(a.Size, part.Status, part.Range, part.Name, string(text), err)
	// Output: 34 206 bytes 13-20/34 tides.csv Saturday <nil>
}

// A program that keeps its keys can repeat a write after a restart of its own.
func ExampleKey() {
	ana, _, close := open()
	defer close()
	ctx := context.Background()
	key := client.Key("order-4711")
	for range 2 {
		var answer client.Answer
		_, err := ana.CreateRoom(ctx, client.NewRoom{To: []client.Recipient{{Address: "bo@example.org"}}}, key, client.Keep(&answer))
		fmt.Println(answer.Status, answer.Replayed, err)
	}
	// Output:
	// 201 false <nil>
	// 201 true <nil>
}
