package trust

import (
	"errors"

	"github.com/datachain-go/datachain/trust/internal/refusal"
)

// The reasons to refuse a store, a log or a proof, which errors wrap: those of [VerifyDocument],
// and those of stores that are opened with a [Trust]. See [Reason].
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
	} {
		if errors.Is(err, r.err) {
			return r.name
		}
	}
	return ""
}
