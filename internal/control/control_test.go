package control_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley/internal/control"
)

// served starts a server and returns its socket; end stops it and waits.
func served(t *testing.T, cfg control.Config) (dial func() net.Conn, end func()) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- control.NewServer(cfg).Serve(ctx, l) }()
	end = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		ended <- nil
	}
	t.Cleanup(end)
	return func() net.Conn {
		conn, err := net.Dial("unix", name)
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}, end
}

func TestCall(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	dial, _ := served(t, control.Config{Handler: func(_ context.Context, r control.Request, out, diag io.Writer) control.Result {
		fmt.Fprintf(out, "%s %s %s %v ", r.Verb, r.Args, r.Stdin, r.Terminal)
		fmt.Fprint(diag, "progress")
		fmt.Fprint(out, long)
		return control.Result{Code: 3, Message: "done"}
	}})
	var out, diag bytes.Buffer
	r := control.Request{Verb: "account add", Args: []byte(`{"a":1}`), Stdin: []byte("pass"), Terminal: true}
	result, err := control.Call(t.Context(), dial(), r, &out, &diag)
	if want := (control.Result{Code: 3, Message: "done"}); result != want || err != nil {
		t.Errorf("got %+v, %v, want %+v", result, err, want)
	}
	if got, want := out.String(), `account add {"a":1} pass true `+long; got != want {
		t.Errorf("out: got %.60q, want %.60q", got, want)
	}
	if got := diag.String(); got != "progress" {
		t.Errorf("diag: got %q", got)
	}
}

// untilCancelled says when it began and ends with its context.
func untilCancelled(began chan<- struct{}) control.Handler {
	return func(ctx context.Context, _ control.Request, out, _ io.Writer) control.Result {
		began <- struct{}{}
		<-ctx.Done()
		fmt.Fprint(out, "cleaned up")
		return control.Result{Code: 1, Message: "interrupted"}
	}
}

func TestInterruptCancels(t *testing.T) {
	began := make(chan struct{}, 1)
	dial, _ := served(t, control.Config{Handler: untilCancelled(began)})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	var out bytes.Buffer
	result, err := control.Call(ctx, dial(), control.Request{}, &out, io.Discard)
	if result.Message != "interrupted" || err != nil || out.String() != "cleaned up" {
		t.Errorf("got %+v, %v and %q", result, err, out.String())
	}
}

func TestCallerGoneCancels(t *testing.T) {
	began, ended := make(chan struct{}, 1), make(chan struct{})
	handle := untilCancelled(began)
	dial, _ := served(t, control.Config{Handler: func(ctx context.Context, r control.Request, out, diag io.Writer) control.Result {
		defer close(ended)
		return handle(ctx, r, out, diag)
	}})
	conn := dial()
	go func() { <-began; conn.Close() }()
	if _, err := control.Call(t.Context(), conn, control.Request{}, io.Discard, io.Discard); !errors.Is(err, control.ErrLost) {
		t.Errorf("got %v, want ErrLost", err)
	}
	<-ended
}

func TestServerEndCancels(t *testing.T) {
	began := make(chan struct{}, 1)
	dial, end := served(t, control.Config{Handler: untilCancelled(began)})
	conn := dial()
	go func() { <-began; end() }()
	result, err := control.Call(t.Context(), conn, control.Request{}, io.Discard, io.Discard)
	if result.Message != "interrupted" || err != nil {
		t.Errorf("got %+v, %v", result, err)
	}
}

// A caller that stopped reading must not keep the server from ending.
func TestServerEndsBesideStuckCaller(t *testing.T) {
	began := make(chan struct{}, 1)
	dial, end := served(t, control.Config{Grace: time.Millisecond, Handler: func(ctx context.Context, _ control.Request, out, _ io.Writer) control.Result {
		began <- struct{}{}
		for {
			if _, err := out.Write(make([]byte, 1<<20)); err != nil {
				return control.Result{Code: 1}
			}
		}
	}})
	conn := dial()
	defer conn.Close()
	go func() { _, _ = control.Call(t.Context(), conn, control.Request{}, stuck{t.Context()}, io.Discard) }()
	<-began
	end()
}

// stuck is a writer that takes nothing.
type stuck struct{ ctx context.Context }

func (s stuck) Write([]byte) (int, error) { <-s.ctx.Done(); return 0, s.ctx.Err() }

func TestTooMany(t *testing.T) {
	began := make(chan struct{}, 1)
	dial, _ := served(t, control.Config{Most: 1, Handler: untilCancelled(began)})
	first := dial()
	go func() { _, _ = control.Call(t.Context(), first, control.Request{}, io.Discard, io.Discard) }()
	<-began
	result, err := control.Call(t.Context(), dial(), control.Request{}, io.Discard, io.Discard)
	if result.Code != 1 || !strings.Contains(result.Message, "as many") || err != nil {
		t.Errorf("got %+v, %v", result, err)
	}
	first.Close()
}

func TestNonsenseIsRefused(t *testing.T) {
	dial, _ := served(t, control.Config{Handler: func(context.Context, control.Request, io.Writer, io.Writer) control.Result {
		t.Error("the handler ran")
		return control.Result{}
	}})
	for _, text := range []string{"GET / HTTP/1.1\r\n\r\n", "C\x00\x00\x00\x00", "R\xff\xff\xff\xff", "R\x00\x00\x00\x02{]"} {
		conn := dial()
		fmt.Fprint(conn, text)
		answer, _ := io.ReadAll(conn)
		if !bytes.Contains(answer, []byte(`"Code":1`)) {
			t.Errorf("%q: got %q", text, answer)
		}
		conn.Close()
	}
}
