package mcp

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
)

// ServeStdio serves one client, which writes to in and reads from out, one message
// or batch per line. A line has the limits of an HTTP body and gets the same
// answer, and no handshake is needed. Lines are answered one after the other, in
// order. ServeStdio returns when in ends and everything is answered, or when the
// context ends.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	session := rand.Text()
	lines := make(chan line)
	ended := make(chan error, 1)
	go func() { ended <- readLines(ctx, in, s.options.MaxBody, lines) }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case l := <-lines:
			if _, err := out.Write(s.answerLine(ctx, session, l)); err != nil {
				return fmt.Errorf("mcp: write answer: %w", err)
			}
		}
	}
}

// answerLine returns the lines that answer a line.
func (s *Server) answerLine(ctx context.Context, session string, l line) []byte {
	if l.tooLong {
		return append(s.tooLong("message").body(nil), '\n')
	}
	messages, batch, p := readMessages(l.text)
	if p != nil {
		return append(p.body(nil), '\n')
	}
	a := s.answerAll(ctx, s.newCaller(session), messages, batch)
	if a.body == nil {
		return nil
	}
	return append(bytes.Join(append(a.notifications, a.body), []byte{'\n'}), '\n')
}

// line is a line without its end.
type line struct {
	text []byte
	// tooLong lines have no text.
	tooLong bool
}

// readLines sends lines until there are no more. It keeps nothing of a line that
// is too long.
func readLines(ctx context.Context, in io.Reader, maxLine int64, lines chan<- line) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		var l line
		part, err := r.ReadSlice('\n')
		for {
			if int64(len(l.text)+len(bytes.TrimRight(part, "\r\n"))) > maxLine {
				l = line{tooLong: true}
			}
			if !l.tooLong {
				l.text = append(l.text, part...)
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
			part, err = r.ReadSlice('\n')
		}
		if l.text = bytes.Trim(l.text, " \t\r\n"); l.tooLong || len(l.text) > 0 {
			select {
			case lines <- l:
			case <-ctx.Done():
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("mcp: read message: %w", err)
		}
	}
}
