package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
)

// Conn carries messages between the server and one client. Each is a JSON-RPC
// message without its framing.
type Conn interface {
	// Read returns the next message of the client. The error is [io.EOF] if there are
	// no more; any other error ends the session, too. Only one goroutine calls Read.
	Read(ctx context.Context) ([]byte, error)
	// Write sends a message to the client. Only one goroutine calls Write.
	Write(message []byte) error
}

// maxMessage is the size limit of a message in bytes. Longer ones are skipped.
const maxMessage = 32 << 20

// Limits of the headers of a message, and of what is kept of one that is skipped and
// of each string in it.
const (
	maxHeaders = 4 << 10
	maxKept    = 64 << 10
	maxString  = 4 << 10
)

// tooLargeError is returned by a stream for a message that was skipped because of its
// size.
type tooLargeError struct {
	Size, Max int64
	// Outline is the message with its long strings emptied, from which the
	// server finds out what it was about. It is incomplete if the message has
	// much else.
	Outline []byte
}

// Error returns both sizes.
func (e *tooLargeError) Error() string {
	return fmt.Sprintf("lsp: message of %d bytes skipped: at most %d are allowed", e.Size, e.Max)
}

// stream is what [NewStream] returns.
type stream struct {
	in  *bufio.Reader
	out io.Writer
	max int64
}

// NewStream returns a Conn over a pair of streams, such as standard input and output: it
// reads from in and writes to out, and each message follows a Content-Length header.
// A message of more than 32 MiB is skipped, and its request answered with an error.
func NewStream(in io.Reader, out io.Writer) Conn {
	return &stream{in: bufio.NewReaderSize(in, 64<<10), out: out, max: maxMessage}
}

// Read returns the next message. It does not notice that ctx ends while it waits:
// close the stream to end it.
func (s *stream) Read(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	size, err := s.readHeaders()
	if err != nil {
		return nil, err
	}
	if size > s.max {
		outline, err := s.outline(size)
		if err != nil {
			return nil, cutOff(err)
		}
		return nil, &tooLargeError{Size: size, Max: s.max, Outline: outline}
	}
	// The buffer grows with what arrives, whatever the header promises.
	var b bytes.Buffer
	b.Grow(int(min(size, 1<<20)))
	if _, err := io.CopyN(&b, s.in, size); err != nil {
		return nil, cutOff(err)
	}
	return b.Bytes(), nil
}

// Write sends a message.
func (s *stream) Write(message []byte) error {
	framed := make([]byte, 0, len(message)+32)
	framed = append(strconv.AppendInt(append(framed, "Content-Length: "...), int64(len(message)), 10), "\r\n\r\n"...)
	if _, err := s.out.Write(append(framed, message...)); err != nil {
		return fmt.Errorf("lsp: write message: %w", err)
	}
	return nil
}

// readHeaders reads the headers of a message and returns its size. The error is
// [io.EOF] if the stream ends before them.
func (s *stream) readHeaders() (int64, error) {
	size, read := int64(-1), 0
	for {
		line, err := s.in.ReadSlice('\n')
		read += len(line)
		switch {
		case errors.Is(err, io.EOF) && read == 0:
			return 0, io.EOF
		case errors.Is(err, bufio.ErrBufferFull) || read > maxHeaders:
			return 0, fmt.Errorf("lsp: read message: headers have more than %d bytes; is the client a language client?", maxHeaders)
		case err != nil:
			return 0, cutOff(err)
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" && size >= 0 {
			return size, nil
		}
		name, value, found := strings.Cut(text, ":")
		if !found {
			return 0, fmt.Errorf("lsp: read message: expected a Content-Length header, found %q; is the client a language client?", wording.Clip(text))
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue // Content-Type always means UTF-8
		}
		n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 63)
		if err != nil || size >= 0 {
			return 0, fmt.Errorf("lsp: read message: Content-Length must be one number, not %q", wording.Clip(text))
		}
		size = int64(n)
	}
}

// outline skips a message and returns it with its long strings emptied.
func (s *stream) outline(size int64) ([]byte, error) {
	var kept []byte
	quoted, opened, escaped := -1, 0, false // quoted: bytes since the opening quote, or -1
	for range size {
		c, err := s.in.ReadByte()
		if err != nil {
			return nil, err
		}
		switch {
		case quoted < 0 && c == '"':
			quoted, opened = 0, len(kept)+1
		case quoted >= 0 && c == '"' && !escaped:
			quoted = -1
		case quoted >= 0:
			escaped = c == '\\' && !escaped
			if quoted++; quoted == maxString {
				kept = kept[:min(opened, len(kept))]
			}
		}
		if quoted < maxString && len(kept) < maxKept {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// cutOff is the error for a stream that ends within a message.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("lsp: read message: %w", err)
}
