package smtp

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "write what the server says into testdata")

// TestTranscripts plays testdata/*.txt. Its lines:
//
//	C: text        the client sends text and CRLF
//	R: "text"      the client sends a Go string as it is
//	T: 6m          time passes
//	drain          the server is shut down
//	cut            the client goes away
//	another        a further client connects; the first is played on
//	S: D: E:       what the server said, what was delivered, the connection's end
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			synctest.Test(t, func(t *testing.T) { got = play(t, string(text)) })
			if *rewrite {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(text) {
				t.Errorf("got:\n%s\nwant:\n%s", got, text)
			}
		})
	}
}

// stage is one client, one server and what has been seen of them.
type stage struct {
	t      *testing.T
	out    strings.Builder
	fake   *fake
	server *Server
	pipes  *pipes
	client net.Conn
	shown  int // deliveries

	mu    sync.Mutex
	heard strings.Builder
	ended bool
	spare []net.Conn
}

// play gives back the script with the server's lines as they are now.
func play(t *testing.T, script string) string {
	s := &stage{t: t, fake: &fake{}, pipes: newPipes()}
	s.server = New(Config{
		Mailboxes: s.fake, Hostname: "mail.example", MaxBytes: 1000, MaxRecipients: 100, MaxSessions: 2,
	})
	served := make(chan error, 1)
	go func() { served <- s.server.Serve(s.pipes) }()
	s.client = s.pipes.dial()
	go s.listen(s.client)
	for line := range strings.Lines(script) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || strings.HasPrefix(line, "#") {
			fmt.Fprintln(&s.out, line)
			continue
		}
		s.settle()
		if s.step(line) {
			fmt.Fprintln(&s.out, line)
		}
	}
	s.settle()
	s.finish(served)
	return s.out.String()
}

func (s *stage) step(line string) bool {
	kind, arg, _ := strings.Cut(line, ": ")
	switch kind {
	case "C":
		s.send(arg + "\r\n")
	case "R":
		raw, err := strconv.Unquote(arg)
		if err != nil {
			s.t.Fatalf("%s: %v", line, err)
		}
		s.send(raw)
	case "T":
		d, err := time.ParseDuration(arg)
		if err != nil {
			s.t.Fatalf("%s: %v", line, err)
		}
		time.Sleep(d)
	case "drain":
		go s.server.Shutdown(s.t.Context())
	case "cut":
		s.client.Close()
	case "another":
		conn := s.pipes.dial()
		s.spare = append(s.spare, conn)
		go s.listen(conn)
	default:
		return false // what the server said then
	}
	return true
}

// send does not wait: a server that is done does not read.
func (s *stage) send(text string) { go s.client.Write([]byte(text)) }

func (s *stage) listen(conn net.Conn) {
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf)
		s.mu.Lock()
		s.heard.Write(buf[:n])
		s.ended = err != nil
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// settle waits until nothing moves, and writes down what has happened.
func (s *stage) settle() {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.SplitSeq(s.heard.String(), "\r\n") {
		if line != "" {
			fmt.Fprintf(&s.out, "S: %s\n", line)
		}
	}
	s.heard.Reset()
	for _, d := range s.fake.deliveries()[s.shown:] {
		fmt.Fprintf(&s.out, "D: %v\n", d)
		s.shown++
	}
	if s.ended {
		fmt.Fprintln(&s.out, "E: closed")
		s.ended = false
	}
}

func (s *stage) finish(served chan error) {
	s.client.Close()
	for _, conn := range s.spare {
		conn.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		s.t.Errorf("Shutdown: %v", err)
	}
	if err := <-served; err != nil {
		s.t.Errorf("Serve: %v", err)
	}
}
