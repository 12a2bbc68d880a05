package trust

import (
	"errors"

	"github.com/datachain-go/datachain/release/trust/internal/refusal"
)

// The reasons to refuse a store or a log, which errors wrap: those of stores that package follow
// verifies, and of [VerifyDocument]. Each is a [taxonomy.ErrRefused]. See [Reason].
var (
	// ErrSignature means that a signature of a trusted key does not match.
	ErrSignature = refusal.ErrSignature
	// ErrUnknownKey means that no trusted key signed.
	ErrUnknownKey = refusal.ErrUnknownKey
	// ErrExpired means that the key that signed is not valid at this time.
	ErrExpired = refusal.ErrExpired
	// ErrOrigin means that the checkpoint is that of another log.
	ErrOrigin = refusal.ErrOrigin
	// ErrRollback means that the log is shorter than it was.
	ErrRollback = refusal.ErrRollback
	// ErrFork means that the log has other entries than it had.
	ErrFork = refusal.ErrFork
	// ErrTile means that a file of the log is missing, or does not belong to the checkpoint.
	ErrTile = refusal.ErrTile
	// ErrEntry means that an entry of the log is malformed or can't follow those before it, or
	// that an index does not follow from the entries.
	ErrEntry = refusal.ErrEntry
	// ErrCheckpoint means that a checkpoint is malformed.
	ErrCheckpoint = refusal.ErrCheckpoint
	// ErrNoLog means that a store has no log, although a reader requires one.
	ErrNoLog = refusal.ErrNoLog
)

// The reasons to refuse a document, which errors of [VerifyDocument] wrap.
var (
	// ErrEdition means that the log does not have the document as it is.
	ErrEdition = errors.New("the edition is not in the log")
	// ErrSnapshot means that the snapshot, the symbols or the pin of the document are not those of a
	// release in the log.
	ErrSnapshot = errors.New("the document is not made of a release in the log")
	// ErrUnchecked means that the log has the version that the document pins, but the source does not
	// have its release any more.
	ErrUnchecked = errors.New("the snapshot can't be checked")
)

// Reason returns a short name of the reason for which something was refused, such as rollback,
// for metrics and reports, or "" if the error wraps none of them.
func Reason(err error) string {
	for _, r := range []struct {
		err  error
		name string
	}{
		{ErrSignature, "signature"},
		{ErrUnknownKey, "unknown_key"},
		{ErrExpired, "expired_key"},
		{ErrOrigin, "origin"},
		{ErrRollback, "rollback"},
		{ErrFork, "fork"},
		{ErrTile, "tile"},
		{ErrEntry, "entry"},
		{ErrCheckpoint, "checkpoint"},
		{ErrNoLog, "checkpoint"},
		{ErrEdition, "edition"},
		{ErrSnapshot, "snapshot"},
		{ErrUnchecked, "unchecked"},
	} {
		if errors.Is(err, r.err) {
			return r.name
		}
	}
	return ""
}
