package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeStdio serves one client, which writes to in and reads from out, a message
// a line. It returns when in ends and all that was asked is answered, or when the
// context ends.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	p := &pipe{
		ctx: ctx, in: bufio.NewReader(in), out: out, patience: s.Timeout + grace,
		// A document can take several times as much within a message.
		longest: 4 * int(s.MaxBody), changed: make(chan struct{}, 1),
	}
	err := s.sdk.Run(ctx, &sdk.IOTransport{Reader: p, Writer: p, MaxLineLength: p.longest})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		err = nil // that is how it ends
	}
	return err
}

// pipe is the two streams of a client. When the first one ends, the SDK lets go of
// calls that it is still at. So the end is kept back until they are answered: a
// shell that pipes a call into the program gets its answer.
type pipe struct {
	ctx      context.Context //nolint:containedctx // lives as long as the pipe
	in       *bufio.Reader
	out      io.Writer
	patience time.Duration
	longest  int

	line  []byte // what is left of it
	calls int64  // that were read
	// answers are how many of them were answered, and changed tells that there
	// are more.
	answers atomic.Int64
	changed chan struct{}
}

// Read hands out lines, and the end when nothing is open.
func (p *pipe) Read(b []byte) (int, error) {
	if len(p.line) == 0 {
		if err := p.next(); err != nil {
			p.settle()
			return 0, err
		}
	}
	n := copy(b, p.line)
	p.line = p.line[n:]
	return n, nil
}

// next reads a line, with its end.
func (p *pipe) next() error {
	p.line = p.line[:0:0]
	for {
		part, err := p.in.ReadSlice('\n')
		if p.line = append(p.line, part...); len(p.line) > p.longest {
			return fmt.Errorf("a message has more than %d bytes", p.longest)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && len(p.line) == 0 {
			return err
		}
		break
	}
	if asks(p.line) {
		p.calls++
	}
	return nil
}

// asks reports whether a line gets an answer: it is a call, or a batch of them.
func asks(line []byte) bool {
	texts, _, problem := readMessages(line)
	if problem != nil {
		return false
	}
	for _, text := range texts {
		if m, problem := parseMessage(text); problem == nil && m.ID != nil && m.Method != nil {
			return true
		}
	}
	return false
}

// settle waits until every call is answered, but not for ever.
func (p *pipe) settle() {
	timeout := time.After(p.patience)
	for p.answers.Load() < p.calls {
		select {
		case <-p.changed:
		case <-timeout:
			return
		case <-p.ctx.Done():
			return
		}
	}
}

// Write passes on a message.
func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	if bytes.HasPrefix(b, []byte(`{"jsonrpc":"2.0","id":`)) || bytes.HasPrefix(b, []byte("[")) {
		p.answers.Add(1)
		select {
		case p.changed <- struct{}{}:
		default:
		}
	}
	return n, err
}

// Close does nothing: the streams are the caller's.
func (*pipe) Close() error { return nil }
