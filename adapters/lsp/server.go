package lsp

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
)

// Releases are what the documents of a client are judged by.
type Releases struct {
	Service *datachain.Service
	// Origin says where the releases come from, for people: "the store in
	// taxonomies".
	Origin string
	// Changes returns a channel that receives a value after a change of the
	// releases, as [taxonomy.Notifier] does. If it is nil, open documents are
	// judged again only when they or watched files change. The context ends when
	// the releases are not used any more.
	Changes func(ctx context.Context) <-chan struct{}
	// Source is the authoring source of the releases, or nil. Its files are
	// linted while they are edited.
	Source *Source
}

// OpenFunc opens the releases for a client, whose workspace folders are given as
// URIs. It is called again when the folders change, and returns the same releases
// unless others are to be used.
type OpenFunc func(ctx context.Context, folders []string) (*Releases, error)

// Options configure a [Server]. The zero value and nil are the defaults.
type Options struct {
	// Version is the version that the server reports; "" means dev.
	Version string
	// BaseURL is where findings are explained: a finding links to BaseURL +
	// /codes/{code}. The default is the page of codes in the repository.
	BaseURL string
	// Delay is how long a document must be unchanged before it is judged. The
	// default is to judge at once, and to cancel that if the document changes.
	Delay time.Duration
	// SavePage saves the page of a document for a browser, and returns its URI.
	// Editors that show no pages themselves then open it. If it is nil, pages are
	// only sent to clients that ask for them.
	SavePage func(document string, page []byte) (uri string, err error)
	// MaxRequests is how many requests run at the same time; 0 means 8.
	// Others wait.
	MaxRequests int
	// Folder opens a folder of the workspace, whose URI is given. The default is
	// that all documents are judged by the releases that [OpenFunc] returns, and
	// only while they are open. It returns the same releases if it is called again.
	Folder func(ctx context.Context, uri string) (*Folder, error)
	// Limits bound what is read of the folders.
	Limits Limits
	// Publish sends diagnostics to all clients. The default is to wait for the
	// requests of clients that can ask for them; @codemirror/lsp-client says that it
	// can, and never asks.
	Publish bool
}

// Server is a language server. It can serve several clients at the same time. Make
// one with [New].
type Server struct {
	open    OpenFunc
	options Options
	methods map[string]method
	// shapes is the shape of documents: resolved ones, which have every field of
	// thin ones, too. The others are those of authoring files.
	shapes                                      func() *shape
	schemaShapes, categoryShapes, elementShapes func() *shape
}

// New returns a server that judges documents by the releases that open returns.
func New(open OpenFunc, o *Options) *Server {
	s := &Server{
		open: open, methods: methods(), shapes: newShapes("resolved"),
		schemaShapes: newShapes("authoring_schema"), categoryShapes: newShapes("authoring_category"), elementShapes: newShapes("authoring_elements"),
	}
	if o != nil {
		s.options = *o
	}
	s.options.Version = cmp.Or(s.options.Version, "dev")
	s.options.BaseURL = strings.TrimSuffix(s.options.BaseURL, "/")
	s.options.MaxRequests = cmp.Or(s.options.MaxRequests, 8)
	return s
}

// ErrNoShutdown is returned by [Server.Serve] if the client ended the session
// without a shutdown request. A program exits with 1 then, and with 0 otherwise.
var ErrNoShutdown = errors.New("lsp: the client ended the session without a shutdown request")

// flushTime is how long the last messages may take.
const flushTime = 2 * time.Second

// Serve serves one client until it ends the session or ctx ends. The error is nil if
// the client asked for the shutdown.
func (s *Server) Serve(ctx context.Context, conn Conn) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	c := newSession(running, s)
	sent := make(chan error, 1)
	go func() { sent <- c.out.send(conn) }()

	err := c.receive(conn, sent)
	c.stopAll()
	stop()
	c.out.close()
	select {
	case e := <-sent:
		err = errors.Join(err, e)
	case <-time.After(flushTime): // the client does not read
	}
	switch {
	case errors.Is(err, errExit), errors.Is(err, io.EOF):
		if c.state != stateShutdown {
			return ErrNoShutdown
		}
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}
