package main

import (
	"errors"

	"github.com/datachain-go/datachain"
)

// messageError is an error with another message.
type messageError struct {
	message string
	err     error
}

// Error returns the message.
func (e *messageError) Error() string { return e.message }

// Unwrap returns the error.
func (e *messageError) Unwrap() error { return e.err }

// advise adds a sentence to an error that says what to do.
func advise(err error, advice string) error { return &messageError{err.Error() + "\n" + advice, err} }

// readable returns an error for people: that of a [datachain.Service] as its
// message, its cause and its hint.
func readable(err error) error {
	e, ok := err.(*datachain.Error) //nolint:errorlint // what wraps it has a message of its own
	if !ok {
		return err
	}
	text := e.Issue.Message
	if e.Kind == datachain.KindFailure && e.Err != nil {
		text += " " + e.Err.Error()
	} else if e.Issue.FixHint != "" {
		text += "\nHint: " + e.Issue.FixHint
	}
	return &messageError{text, err}
}

// errFindings ends a command that has printed what it found.
var errFindings = errors.New("there are findings")
