package mcp

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// ServeStdio serves one client, which writes to in and reads from out, a message
// or a batch of them a line. A line is what the body of a request is over HTTP:
// it has the same limits and gets the same answer, and it needs no handshake.
// Lines are answered in their order, one after the other. ServeStdio returns when
// in ends and all that was asked is answered, or when the context ends.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	c := &console{handler: s.Handler(), session: rand.Text(), out: out}
	defer cancel()
	lines := make(chan line)
	ended := make(chan error, 1)
	go func() { ended <- readLines(ctx, in, s.MaxBody, lines) }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case l := <-lines:
			if err := c.serve(ctx, l); err != nil {
				return err
			}
		}
	}
}

// line is what a client wrote, without its end.
type line struct {
	text []byte
	// tooLong lines have no text.
	tooLong bool
}

// readLines passes on lines until there are no more. Of one that is too long it
// keeps nothing.
func readLines(ctx context.Context, in io.Reader, longest int64, lines chan<- line) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		var l line
		part, err := r.ReadSlice('\n')
		for {
			if int64(len(l.text)+len(bytes.TrimRight(part, "\r\n"))) > longest {
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
			return fmt.Errorf("mcp: the input can't be read: %w", err)
		}
	}
}

// console is a client on the two streams of a process.
type console struct {
	handler *Handler
	session string
	out     io.Writer
}

// serve answers a line. It fails where the answer can't be written.
func (c *console) serve(ctx context.Context, l line) error {
	if l.tooLong {
		return c.write(c.handler.tooLarge("message").body(nil))
	}
	texts, batch, p := readMessages(l.text)
	if p != nil {
		return c.write(p.body(nil))
	}
	who := caller{session: c.session, base: c.handler.server.BaseURL, deadline: time.Now().Add(c.handler.server.Timeout)}
	ctx, cancel := context.WithDeadline(withCaller(ctx, who), who.deadline.Add(grace))
	defer cancel()
	var answers answers
	for _, text := range texts {
		got := c.ask(ctx, text, answers.size)
		for _, before := range got.before {
			if err := c.write(before); err != nil {
				return err
			}
		}
		answers.add(got.body)
	}
	switch {
	case len(answers.list) == 0:
		return nil
	case batch:
		return c.write(answers.batch())
	default:
		return c.write(answers.list[0])
	}
}

// ask has a message answered, even where there is a mistake in this program.
func (c *console) ask(ctx context.Context, text []byte, before int) (got recorded) {
	m, p := c.handler.parse(ctx, text, before)
	defer func() {
		if mistake := recover(); mistake != nil {
			c.handler.server.logPanic(mistake, "method", m.method)
			got = recorded{body: (&problem{code: jsonrpc.CodeInternalError, issue: internal}).body(m.ID)}
		}
	}()
	return c.handler.ask(ctx, c.request(m), m, p)
}

// request is the request that a client would have sent over HTTP: what it says
// there in fields is here in the message.
func (c *console) request(m *message) *http.Request {
	r := &http.Request{Method: http.MethodPost, URL: &url.URL{Path: "/"}, Header: make(http.Header)}
	r.Header.Set(sessionField, c.session)
	var meta struct {
		Revision string `json:"io.modelcontextprotocol/protocolVersion"`
	}
	_ = jsonv2.Unmarshal(m.params["_meta"], &meta, lenient) // there may be none
	if meta.Revision != "" {
		r.Header.Set(revisionField, meta.Revision)
		r.Header.Set("Mcp-Method", m.method)
		r.Header.Set("Mcp-Name", m.text("name")+m.text("uri"))
	}
	return r
}

// write sends a message.
func (c *console) write(text []byte) error {
	if _, err := c.out.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("mcp: the answer can't be written: %w", err)
	}
	return nil
}
