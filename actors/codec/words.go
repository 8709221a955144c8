package codec

import (
	"slices"

	"github.com/parley-im/parley"
)

// The words that are stored as numbers, each at the place of its number in the
// enum of package record. A word that is not here cannot be stored, and a number
// that is not here was written by a later version: neither is passed over.
var (
	kinds    = []parley.Kind{"", parley.KindMail, parley.KindRoom}
	channels = []parley.Channel{
		"", parley.ChannelChat, parley.ChannelMail, parley.ChannelSMS, parley.ChannelImport,
	}
	histories = []parley.History{"", parley.HistoryJoined, parley.HistoryAll}
	roles     = []parley.Role{"", parley.RoleModerator, parley.RoleMember}
	states    = []parley.PartState{"", parley.StateInvited, parley.StateIn, parley.StateLeft}
	notices   = []parley.Notice{
		"", parley.NoticeCreated, parley.NoticeJoined, parley.NoticeLeft, parley.NoticeRemoved, parley.NoticeChanged, parley.NoticeSplit,
	}
	signals = []parley.Signal{
		"", parley.SignalRoom, parley.SignalInReplyTo, parley.SignalReferences, parley.SignalThreadIndex,
		parley.SignalNew, parley.SignalPost, parley.SignalSame,
	}
	jobKinds = []parley.JobKind{
		"", parley.JobChangeMessages, parley.JobChangeThread, parley.JobDeleteThread, parley.JobPurgeThread,
		parley.JobRestoreThread, parley.JobReadFolder, parley.JobImport, parley.JobExport,
	}
	formats   = []parley.Format{"", parley.FormatMbox, parley.FormatMaildir, parley.FormatEML}
	jobStates = []parley.JobState{
		"", parley.JobQueued, parley.JobRunning, parley.JobDone, parley.JobFailed, parley.JobCanceled,
	}
)

// number is the stored form of a word.
func number[E ~int32, T ~string](w *writer, words []T, word T) E {
	i := slices.Index(words, word)
	if i < 0 {
		w.fail("%T %q has no number", word, word)
		return 0
	}
	return E(i)
}

func word[E ~int32, T ~string](r *reader, words []T, number E) (word T) {
	if number < 0 || int(number) >= len(words) {
		r.fail("%T of number %d", word, number)
		return word
	}
	return words[number]
}
