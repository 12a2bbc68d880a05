// Package refusal has the reasons to refuse a log. Package trust exports them, and imports the
// package of the log, whose errors wrap them.
package refusal

import "github.com/datachain-go/datachain/taxonomy"

// Package trust says what each of them means. All are [taxonomy.ErrRefused].
var (
	ErrSignature  error = &reason{"bad signature"}
	ErrUnknownKey error = &reason{"not signed by a trusted key"}
	ErrExpired    error = &reason{"signed by a key that is not valid at this time"}
	ErrOrigin     error = &reason{"checkpoint of another log"}
	ErrRollback   error = &reason{"the log was rolled back"}
	ErrFork       error = &reason{"the log was rewritten"}
	ErrTile       error = &reason{"a file of the log does not match its checkpoint"}
	ErrEntry      error = &reason{"invalid log entry"}
	ErrCheckpoint error = &reason{"malformed checkpoint"}
	ErrNoLog      error = &reason{"log/checkpoint is missing"}
)

// reason is a reason to refuse.
type reason struct{ text string }

func (r *reason) Error() string { return r.text }

func (r *reason) Is(target error) bool { return target == taxonomy.ErrRefused }
