package taxonomy

import "context"

// ReadFunc reads a file of a store of at most limit bytes. The tag that it returns changes with the
// content; if it is the given one, text is nil. It wraps [io/fs.ErrNotExist] if there is no such file.
type ReadFunc func(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error)

// Verifier verifies the index of a store, such as by its signed log. Errors that wrap
// [ErrRefused] are about what was read, and the last good index is served; with others it is
// not known. Methods may be called concurrently. Package release/trust/follow has one.
type Verifier interface {
	// Check returns an error unless a reader may serve an index.
	Check(ctx context.Context, x *Index) error
	// Confirm returns an error if the index that is served is too old by now, although the
	// store still has it.
	Confirm(ctx context.Context, x *Index) error
	// Due reports whether it is time for Confirm in a store that otherwise reads nothing. It must
	// take little time.
	Due() bool
	// Missing returns a refusal if the store must have an index, although it can't be found or
	// decoded for a reason, which it returns otherwise.
	Missing(ctx context.Context, why error) error
	// Malformed returns a refusal of an index that can't be decoded for a reason, which it wraps.
	Malformed(why error) error
	// Scope names what is trusted: copies that are verified by something else are kept apart.
	Scope() string
}
