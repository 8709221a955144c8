package gateway

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

// getRawMessage gives the bytes as they came. They may be anything, so a browser
// is never to show them.
func (g *Gateway) getRawMessage(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req, "message")
	if err != nil {
		return nil, err
	}
	if err := g.reached(ctx, a); err != nil {
		return nil, err
	}
	raw, size, err := g.Mailboxes.Raw(ctx, a.Account, id)
	if err != nil {
		return nil, err
	}
	a.Req.OnDone(func(edge.Done) { raw.Close() })
	r := &edge.Reply{Status: http.StatusOK, Write: func(w http.ResponseWriter) error {
		w.WriteHeader(http.StatusOK)
		if a.Req.HTTP.Method == http.MethodHead {
			return nil
		}
		_, err := io.Copy(w, raw)
		return err
	}}
	r.Set("Content-Type", "message/rfc822").Set("Content-Disposition", disposition(string(id)+".eml"))
	return r.Set("Content-Length", strconv.FormatInt(size, 10)), nil
}

type explanation struct {
	Thread   parley.ThreadID   `json:"thread"`
	Signal   parley.Signal     `json:"signal"`
	Evidence string            `json:"evidence,omitempty"`
	Folders  []parley.FolderID `json:"folders"`
	Rule     string            `json:"rule,omitempty"`
	Arrivals []arrival         `json:"arrivals"`
}

type arrival struct {
	At      time.Time      `json:"at"`
	Channel parley.Channel `json:"channel"`
	From    string         `json:"from,omitempty"`
	To      string         `json:"to,omitempty"`
}

func arrivalShape(a parley.Arrival) arrival {
	a.At = a.At.UTC()
	return arrival(a)
}

func (g *Gateway) explainMessage(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req, "message")
	if err != nil {
		return nil, err
	}
	if err := g.reached(ctx, a); err != nil {
		return nil, err
	}
	e, err := g.Mailboxes.Explain(ctx, a.Account, id)
	if err != nil {
		return nil, err
	}
	return edge.OK(explanation{
		Thread: e.Thread, Signal: e.Signal, Evidence: e.Evidence, Folders: each(e.Folders, same), Rule: e.Rule, Arrivals: each(e.Arrivals, arrivalShape),
	}), nil
}
