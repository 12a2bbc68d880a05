package taxonomy

import "context"

// ReadFunc reads a file of a store of at most limit bytes. The tag that it returns changes with the
// content; if it is the given one, text is nil. It wraps [io/fs.ErrNotExist] if there is no such file.
type ReadFunc func(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error)

// Verifier verifies the index of a store, such as by its signed log. An error that wraps
// [ErrRefused] means that the index must not be served, and the last good one is served instead; any
// other error means that it could not be verified. Methods may be called concurrently. Package
// release/trust/follow has one.
type Verifier interface {
	// Check returns an error unless a reader may serve an index.
	Check(ctx context.Context, x *Index) error
	// Confirm returns an error if the index that is served is too old by now, although the
	// store still has it.
	Confirm(ctx context.Context, x *Index) error
	// Due reports whether it is time for Confirm in a store that otherwise reads nothing. It must
	// take little time.
	Due() bool
	// Missing is called if there is no index that can be decoded, with the cause. It returns a
	// refusal if the store must have one, and the cause otherwise.
	Missing(ctx context.Context, cause error) error
	// Malformed returns a refusal that wraps the cause for which an index can't be decoded.
	Malformed(cause error) error
	// Scope identifies what is trusted, so that copies are used only if they were verified by the same.
	Scope() string
}
