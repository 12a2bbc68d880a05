package lsp

import (
	"io"
)

// TooLargeError is what tests of streams expect.
type TooLargeError = tooLargeError

// NewShortStream is [NewStream] with another size limit of messages; 0 is the usual one.
func NewShortStream(in io.Reader, out io.Writer, most int64) Conn {
	s := NewStream(in, out).(*stream)
	if most > 0 {
		s.max = most
	}
	return s
}
