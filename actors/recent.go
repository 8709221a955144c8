package actors

// recent keeps the last actions decided here, in stored form, for streams,
// fan-out and blanking; older ones are read from the log.
type recent struct {
	first   uint64 // number of entries[0]
	entries [][]byte
	bytes   int
}

// Bounds of what is kept.
const (
	recentActions = 256
	recentBytes   = 128 << 10
)

func (r *recent) push(n uint64, raw []byte) {
	if len(r.entries) == 0 || n != r.first+uint64(len(r.entries)) {
		r.first, r.entries, r.bytes = n, nil, 0
	}
	r.entries = append(r.entries, raw)
	r.bytes += len(raw)
	for len(r.entries) > recentActions || len(r.entries) > 1 && r.bytes > recentBytes {
		r.bytes -= len(r.entries[0])
		r.entries[0] = nil
		r.entries = r.entries[1:]
		r.first++
	}
}

// get returns an action in stored form, nil if it is not kept.
func (r *recent) get(n uint64) []byte {
	if n < r.first || n >= r.first+uint64(len(r.entries)) {
		return nil
	}
	return r.entries[n-r.first]
}

func (r *recent) replace(n uint64, raw []byte) {
	if r.get(n) != nil {
		r.bytes += len(raw) - len(r.entries[n-r.first])
		r.entries[n-r.first] = raw
	}
}

// span returns the actions after from up to and including to, if all are kept.
func (r *recent) span(from, to uint64) ([][]byte, bool) {
	if to <= from {
		return nil, true
	}
	if r.get(from+1) == nil || r.get(to) == nil {
		return nil, false
	}
	return r.entries[from+1-r.first : to+1-r.first], true
}
