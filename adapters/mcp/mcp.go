// Package mcp serves a [datachain.Service] to language models over the Model Context
// Protocol: tools, prompts, and a view of a datachain that a host can show. A program adds
// tools, resources and a view of its own by [Options].
//
//	server, err := mcp.New(service, &mcp.Options{BaseURL: "https://example.org"})
//	http.Handle("/mcp", server.Handler())             // streamable HTTP
//	err = server.ServeStdio(ctx, os.Stdin, os.Stdout) // or a program on the same machine
//
// # Answers
//
// Every tool answers with one envelope, {ok, data, meta} or {ok: false, errors,
// meta}, as structured content and as text. An invalid datachain is an answer;
// isError is for calls that could not be answered. A failure below the tools is a
// JSON-RPC error whose data is the envelope that REST would return.
//
// # Sessions
//
// The server keeps nothing of a client except the page that it rendered last, in
// [Options.Slots], under the Mcp-Session-Id of the request. A client may choose
// the id, or use the one that it gets with the answer to initialize. Clients
// without one share a default one, among them all that follow the revision
// 2026-07-28, which has no sessions. The client on stdio has a session of its own.
//
// # Transports
//
// HTTP and stdio hand messages to one core that knows neither. It needs no
// handshake, accepts batches in every revision, and parses a tool call twice: the
// message, and the datachain in it. HTTP adds headers, status codes and events; it
// accepts any session id, and clients that send half of an Accept header or none.
// Every failure is a JSON-RPC error.
package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/manual"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/limit"
)

// defaultSession is the session of clients that send no session id.
const defaultSession = "__service_default_session__"

// Slots keeps the page that each session rendered last. Implementations are safe for
// concurrent use, bound what they keep, and return when the context ends.
//
// A session id is whatever a client sent: any bytes, any length. Values are
// shared, not copied: neither the slice given to Put nor the one returned by Get
// may be modified.
type Slots interface {
	// Put keeps a value in place of the one before. A value that is too large
	// to keep is dropped without an error, and so is the one before it, which
	// is out of date. If slots are shared and the others can't be reached, an error
	// with a method Kept() bool that returns true means that this server keeps the
	// value, and others do not have it: the tool's answer then has a warning.
	Put(ctx context.Context, session string, value []byte) error
	// Get returns the value of the last Put, or false if there is none: it was
	// never put, has expired, was evicted or got lost on its way. If servers share
	// their slots, the last Put is that of any of them.
	Get(ctx context.Context, session string) ([]byte, bool, error)
}

// Options configure a server. The zero value and nil mean the defaults, and a negative
// limit is no limit.
type Options struct {
	// BaseURL is where clients find the REST API, such as
	// https://example.org/datachain, or only its path; URLs of icons begin with
	// it. The default host is the one that a request was sent to. On stdio,
	// which has no such host, icons are then sent as data URLs.
	BaseURL string
	// Tools are tools of the program's own, besides those of the server. They have its limits,
	// sessions and envelope. One with the name of another is an error.
	Tools []Tool
	// Resources are texts of the program's own that clients can read; nil means none.
	Resources *Resources
	// View shows datachains as pages; nil means a plain one: titles, descriptions, values and icons.
	View View
	// Private is for a service behind authentication: responses have no CORS
	// headers. They are never cached.
	Private bool
	// Version is the version that the server reports; "" means dev.
	Version string
	// Slots keep the page that each session rendered last; nil means that they are
	// kept in memory. Servers that share clients must share slots, as a
	// redisshare.Share does.
	Slots Slots
	// MaxBody is the largest request body in bytes; 0 means 1 MiB.
	MaxBody int64
	// MaxAnswer is the largest answer of a tool in bytes; 0 means 8 MiB. The
	// rest of a batch is refused once its answers have more than twice that.
	MaxAnswer int
	// Timeout is the longest that a request may take, however many calls are
	// in it; 0 means 5 seconds.
	Timeout time.Duration
	// MaxWork is how many documents are processed at once; 0 means one per
	// CPU. Others wait until their time is over.
	MaxWork int
	// AllowedHosts are the hosts, besides those of the machine itself and of
	// BaseURL, that a request to a loopback address may name. Others are
	// refused: a web page could otherwise reach a server on the machine of
	// its reader through a DNS name of its own. AnyHost turns the check off,
	// for a server behind a proxy on the same machine.
	AllowedHosts []string
	AnyHost      bool
	// OnlyLegacy limits the server to the revisions of the protocol up to
	// 2025-11-25, which have sessions. Then no client shares its page with
	// others, unless it ignores the session id that it gets.
	OnlyLegacy bool
	// Logger receives failures that clients did not cause; nil means
	// [slog.Default].
	Logger *slog.Logger
}

// Server is an MCP server. It is safe for concurrent use.
type Server struct {
	service   *datachain.Service
	options   Options // complete
	revisions []string
	work      chan struct{}
	listed    atomic.Pointer[listing] // the last list of versions
	allTools  []Tool                  // of the server and the program
	toolset   atomic.Pointer[toolset] // those that existed last
	// Parts of results, as JSON; see prepare.
	identity, modernHead []byte
	lists                map[string][]byte
}

// New returns a server for a service. It fails if an option is out of its range.
func New(service *datachain.Service, o *Options) (*Server, error) {
	if service == nil {
		return nil, errors.New("mcp: the service is nil")
	}
	s := &Server{revisions: revisions}
	if o != nil {
		s.options = *o
	}
	if err := s.options.complete(); err != nil {
		return nil, err
	}
	s.service = service.WithMaxInput(int(min(s.options.MaxBody, math.MaxInt)))
	if s.options.OnlyLegacy {
		s.revisions = slices.DeleteFunc(slices.Clone(revisions), func(v string) bool { return v >= modern })
	}
	s.work = make(chan struct{}, s.options.MaxWork)
	var err error
	if s.allTools, err = withTools(s.options.Tools); err != nil {
		return nil, err
	}
	s.prepare()
	return s, nil
}

// complete fills in the defaults.
func (o *Options) complete() error {
	if _, err := httpcache.BasePath(o.BaseURL); err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	o.BaseURL = strings.TrimSuffix(o.BaseURL, "/")
	o.Version = cmp.Or(o.Version, "dev")
	o.MaxBody = limit.Of(o.MaxBody, 1<<20, math.MaxInt64/2)
	o.MaxAnswer = limit.Of(o.MaxAnswer, 8<<20, math.MaxInt/2)
	o.Timeout = limit.Of(o.Timeout, 5*time.Second, math.MaxInt64/2)
	o.MaxWork = limit.Of(o.MaxWork, runtime.GOMAXPROCS(0), math.MaxInt/2)
	if o.Resources != nil {
		if err := o.Resources.check(); err != nil {
			return err
		}
	}
	o.AllowedHosts = slices.Clone(o.AllowedHosts)
	if o.Slots == nil {
		o.Slots = NewMemorySlots(nil)
	}
	if o.View == nil {
		o.View = plainView{}
	}
	o.Logger = cmp.Or(o.Logger, slog.Default())
	return nil
}

// Operations describes the tools and the prompts of a server, for package pages. Tools are in the
// order in which a model would use them, then a program's own.
func Operations(added ...Tool) (toolList, promptList []manual.Operation) {
	for _, t := range slices.Concat(tools, added) {
		o := manual.Operation{Name: t.Name, Title: cmp.Or(t.Title, t.Name), Description: t.Description, Listed: t.Listed}
		for _, a := range t.Takes {
			o.Arguments = append(o.Arguments, manual.Argument{Name: a.Name, Description: a.Description, Required: a.Required})
		}
		toolList = append(toolList, o)
	}
	for _, p := range prompts {
		o := manual.Operation{Name: p.name, Title: p.title, Description: p.description}
		for _, a := range p.arguments {
			o.Arguments = append(o.Arguments, manual.Argument(a))
		}
		promptList = append(promptList, o)
	}
	return toolList, promptList
}
