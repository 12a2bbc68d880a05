package reader

import (
	"io/fs"
)

// StatusError is an answer of a server without a result.
type StatusError struct {
	Status  int // of HTTP
	Message string
}

// Error returns the message.
func (e *StatusError) Error() string { return e.Message }

// Is reports that what was requested does not exist, or no longer.
func (e *StatusError) Is(target error) bool {
	return target == fs.ErrNotExist && (e.Status == 404 || e.Status == 410)
}
