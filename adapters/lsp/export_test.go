package lsp

import (
	"io"
)

// What tests need to reach the limits.
type (
	Limits        = limits
	TooLargeError = tooLargeError
)

// Limited returns options with other limits of what is read of a workspace.
func Limited(l Limits) Options { return Options{limits: l} }

// NewShortStream is [NewStream] with another size limit of messages; 0 is the usual one.
func NewShortStream(in io.Reader, out io.Writer, most int64) Conn {
	s := NewStream(in, out).(*stream)
	if most > 0 {
		s.max = most
	}
	return s
}
