// Package refusal has the reasons to refuse a log. Package trust exports them, and imports the
// package of the log, whose errors wrap them.
package refusal

import "errors"

// Package trust says what each of them means.
var (
	ErrSignature  = errors.New("bad signature")
	ErrUnknownKey = errors.New("not signed by a trusted key")
	ErrExpired    = errors.New("signed by a key that is not valid at this time")
	ErrOrigin     = errors.New("checkpoint of another log")
	ErrRollback   = errors.New("the log was rolled back")
	ErrFork       = errors.New("the log was rewritten")
	ErrTile       = errors.New("a file of the log does not match its checkpoint")
	ErrEntry      = errors.New("invalid log entry")
	ErrCheckpoint = errors.New("malformed checkpoint")
	ErrNoLog      = errors.New("log/checkpoint is missing")
)
