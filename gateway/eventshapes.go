package gateway

import (
	"strconv"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

type event struct {
	ID       string           `json:"id"`
	Revision parley.Revision  `json:"revision"`
	Type     parley.EventType `json:"type"`
	At       time.Time        `json:"at"`
	Account  parley.AccountID `json:"account"`
	Thread   parley.ThreadID  `json:"thread,omitempty"`
	Data     any              `json:"data"`
	Cause    string           `json:"cause,omitempty"`
}

// The data of events. A message is fetched by its id, so that a stream never
// shows what the copy does not show any more.
type (
	ofMessage struct {
		Message parley.MessageID `json:"message"`
	}
	ofDraft struct {
		Draft parley.MessageID `json:"draft"`
	}
	ofParticipants struct {
		Participants []parley.PartID `json:"participants"`
	}
	ofCounts struct {
		Badge int64 `json:"badge"`
		Other int64 `json:"other"`
	}
	ofFolder struct {
		Folder parley.FolderID `json:"folder"`
	}
	ofJob struct {
		Job   parley.JobID    `json:"job"`
		Kind  parley.JobKind  `json:"kind"`
		State parley.JobState `json:"state"`
		Done  int64           `json:"done"`
		Total int64           `json:"total"`
	}
	ofNothing struct{}
)

func eventShape(account parley.AccountID, e parley.Event) event {
	shape := event{
		ID:       strconv.FormatUint(uint64(e.Revision), 10) + "." + strconv.Itoa(e.Index),
		Revision: e.Revision, Type: e.Type, At: e.At.UTC(), Account: account, Thread: e.Thread, Data: eventData(e),
	}
	if e.Cause != (parley.CommandID{}) {
		shape.Cause = edge.CommandName(e.Cause)
	}
	return shape
}

func eventData(e parley.Event) any {
	switch e.Type {
	case parley.MessageCreated, parley.MessageUpdated, parley.MessageRemoved, parley.MentionMade:
		return ofMessage{e.Message}
	case parley.DraftCreated, parley.DraftUpdated, parley.DraftRemoved:
		return ofDraft{e.Message}
	case parley.ParticipantJoined, parley.ParticipantLeft, parley.ParticipantUpdate:
		return ofParticipants{each(e.Parts, same)}
	case parley.FolderCreated, parley.FolderUpdated, parley.FolderRemoved:
		return ofFolder{e.Folder}
	case parley.JobUpdated, parley.JobFinished:
		return ofJob{e.Job.ID, e.Job.Kind, e.Job.State, e.Job.Done, e.Job.Total}
	case parley.CountsChanged:
		return ofCounts{e.Badge, e.Other}
	}
	return ofNothing{}
}
