// Package advice has errors that say what to do.
package advice

import "fmt"

// Error is an error with advice, in sentences, which is printed on a line of its own.
type Error struct {
	// Err is the error.
	Err error
	// Advice says what to do about it.
	Advice string
}

// Add returns an error with advice.
func Add(err error, format string, args ...any) error {
	return &Error{err, fmt.Sprintf(format, args...)}
}

// Error returns the error and the advice.
func (e *Error) Error() string { return e.Err.Error() + "\n" + e.Advice }

// Unwrap returns the error.
func (e *Error) Unwrap() error { return e.Err }
