// Package lsp provides a language server (LSP 3.17) for datachain documents and
// authoring source: an editor shows the findings of [datachain.Service.Validate] and
// of package source while the author types.
//
//	server := lsp.New(func(ctx context.Context, folders []string) (*lsp.Releases, error) {
//		return &lsp.Releases{Service: service, Origin: "the store in taxonomies"}, nil
//	}, nil)
//	err := server.Serve(ctx, lsp.NewStream(os.Stdin, os.Stdout))
//
// # The path of a message
//
// A [Conn] carries messages: [NewStream] frames them with Content-Length, as editors
// expect; a Worker in a browser hands them over one by one. One goroutine per client
// reads them. It handles notifications itself, in order, so that it always knows
// the current text of each document. A request gets the text as it was when the
// request arrived, and runs concurrently with others until it is answered or
// canceled. Answers, diagnostics and log messages go through one queue to the
// client.
//
// # Diagnostics
//
// Each change of a document starts a new run and cancels the one before. What a run
// found is sent only if its text is still the current one, and with its version, so
// an editor never shows findings of an older text. Diagnostics are sent to every client,
// also to those that could ask for them: the server does not say that it answers such requests.
//
// # Workspace
//
// [Options.Folder] opens the folders of a workspace. A folder can have releases of its
// own, which its documents are validated by; others use those of the client. Only open
// documents are validated, again whenever the releases change.
//
// # Documents
//
// A document is recognized by its content, a JSON object with schema_version and
// elements, or by its name, *.datachain.json. Half-typed text is read
// with [document.Options.Recover], so completion and symbols always work. The package has no rules of its own:
// it shows what the library finds.
//
// # Commands
//
// datachain.resolve answers the resolved document, and datachain.preview the document as
// a page; while the document is invalid, that of its last valid text and a note. Their
// argument is the URI of an open document. Most clients drop the answer of a command, so
// with {"uri": …, "show": true} the server instead asks the client to write the resolved
// document to a file, or to open the page in a browser ([Options.SavePage]). Code lenses
// do this, for clients that can. datachain.upgrade answers the document and the report of
// moving it to the latest stable version, or edits it; its lens is there if that version
// is newer than the pinned one.
//
// # Source
//
// If [Releases.Source] is set, files in it are linted whenever one of them changes,
// with the texts that are open in the editor in place of the saved ones. The versions
// that changed are compiled again by one goroutine; results that a later change has
// superseded are dropped. Hovers and navigation use the outline of a version, which needs
// no valid source. Completion decides by the lines around the cursor what belongs there,
// since a file that is being typed is rarely valid YAML; the ids of such a file are those of
// its last good text. The outline of a version is kept, and updated by the files that
// change. The server ignores all other files.
//
// The package does no I/O by itself and compiles for js/wasm.
//
// # Experimental
//
// This package may change in a minor version.
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

// Releases are what the documents of a client are validated by.
type Releases struct {
	Service *datachain.Service
	// Origin says where the releases come from, for people: "the store in
	// taxonomies".
	Origin string
	// Changes returns a channel that receives a value after a change of the
	// releases, as [taxonomy.Notifier] does. If it is nil, open documents are
	// validated again only when they or watched files change. The context ends when
	// the releases are not used any more.
	Changes func(ctx context.Context) <-chan struct{}
	// Source is the authoring source of the releases, or nil. Its files are
	// linted while they are edited.
	Source *Source
}

// Options configure a [Server]. The zero value and nil are the defaults.
type Options struct {
	// Version is the version that the server reports; "" means dev.
	Version string
	// BaseURL is where findings are explained: a finding links to BaseURL +
	// /codes/{code}. The default is the page of codes in the repository.
	BaseURL string
	// Delay is how long a document must be unchanged before it is validated; 0 or a
	// negative value means that it is validated at once, which is canceled if the
	// document changes.
	Delay time.Duration
	// SavePage saves the page of a document for a browser, and returns its URI.
	// Editors that show no pages themselves then open it. If it is nil, pages are
	// only sent to clients that ask for them.
	SavePage func(document string, page []byte) (uri string, err error)
	// Folder opens a folder of the workspace, whose URI is given. The default is
	// that all documents are validated by the releases of the client, see [New]. It returns
	// the same releases if it is called again.
	Folder func(ctx context.Context, uri string) (*Folder, error)
}

// Server is a language server. It can serve several clients at the same time. Make
// one with [New].
type Server struct {
	open    func(ctx context.Context, folders []string) (*Releases, error)
	options Options
}

// New returns a server that validates documents by the releases that open returns for the
// workspace folders of a client, which are given as URIs. It is called again when the
// folders change, and returns the same releases unless others are to be used.
func New(open func(ctx context.Context, folders []string) (*Releases, error), o *Options) *Server {
	s := &Server{open: open}
	if o != nil {
		s.options = *o
	}
	s.options.Version = cmp.Or(s.options.Version, "dev")
	s.options.BaseURL = strings.TrimSuffix(s.options.BaseURL, "/")
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
