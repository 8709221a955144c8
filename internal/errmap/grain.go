package errmap

import "github.com/parley-im/parley"

// Grain is what an answer of a grain carries of err, which is not nil. A plain
// error would leave a grain as an unknown reason with its text, so each answer
// goes through here and the caller through FromGrain. The cause stays behind, in
// the log of the member that met it. Since Internal is 0, an answer says that it
// is an error by carrying one, not by the number.
func Grain(err error) (code uint32, public, field string) {
	public, field = parley.PublicOf(err)
	return uint32(Of(err)), public, field
}

// FromGrain restores what Grain took apart; op is what the caller attempted. A
// code that this member does not know yet, sent by a newer one, is Internal:
// that bounces nothing.
func FromGrain(op string, code uint32, public, field string) error {
	if code >= uint32(parley.NumCodes) {
		code = uint32(parley.Internal)
	}
	return &parley.Error{Code: parley.Code(code), Op: op, Public: public, Field: field}
}
