package mcp

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/session"
)

// DefaultSession is the session of clients that send no id.
const DefaultSession = "__service_default_session__"

// Options tune a server. The zero value and nil are the defaults.
type Options struct {
	// BaseURL is where clients find the REST API, such as
	// https://example.org/datachain; addresses of icons begin with it. By
	// default it is where a request went to. On stdio, where there is no such
	// place, icons are then given as data addresses, whole.
	BaseURL string
	// Version is the version of this server, as it introduces itself.
	Version string
	// Slots keep the page that each session rendered last; nil means a
	// [session.Memory] with its defaults. Servers that share the sessions of
	// clients need slots that they share, too.
	Slots session.Slots
	// MaxBody is the largest body of a request in bytes; 0 means 1 MiB.
	MaxBody int64
	// MaxAnswer is the largest answer of a tool in bytes; 0 means 8 MiB. In a
	// batch, calls are refused as soon as those before them have twice that.
	MaxAnswer int
	// Timeout is how long a request may take, however many calls are in it;
	// 0 means 5 seconds.
	Timeout time.Duration
	// MaxWork is how many documents are judged or rendered at once; 0 means
	// one for each processor. Others wait, until their time is over.
	MaxWork int
	// AllowedHosts are the names, besides those of the machine itself and the
	// host of BaseURL, that a request to a loopback address may go to. Others are refused: such a
	// request comes from a page that makes a browser believe that its own
	// name is this machine. AnyHost turns the protection off, for a server
	// behind a proxy on the same machine.
	AllowedHosts []string
	AnyHost      bool
	// OnlyLegacy keeps to the revisions of the protocol up to 2025-11-25,
	// which have sessions. Then no client shares the page that it rendered
	// with others, unless it ignores the session id that it is given.
	OnlyLegacy bool
	// Logger gets failures that are not the client's; nil means
	// [slog.Default].
	Logger *slog.Logger
}

// Server is an MCP server. It is safe for concurrent use.
type Server struct {
	Options
	service *datachain.Service
	sdk     *sdk.Server
	work    chan struct{}
}

// New returns a server over a service.
func New(service *datachain.Service, o *Options) *Server {
	s := &Server{service: service}
	if o != nil {
		s.Options = *o
	}
	s.setDefaults()
	s.work = make(chan struct{}, s.MaxWork)
	options := &sdk.ServerOptions{
		Instructions:      instructions,
		CompletionHandler: s.complete,
		SetCacheable:      setCacheable,
		// Nothing here ever changes, and nothing is logged to clients.
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
		},
	}
	if s.OnlyLegacy {
		options.SupportedProtocolVersions = legacy()
	}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "datachain", Title: "Datachain taxonomies", Version: s.Version}, options)
	s.sdk.AddReceivingMiddleware(s.guard)
	for i := range tools {
		s.addTool(&tools[i])
	}
	s.addView()
	s.addPrompts()
	return s
}

func (s *Server) setDefaults() {
	s.BaseURL = strings.TrimSuffix(s.BaseURL, "/")
	s.Version = cmp.Or(s.Version, "dev")
	s.MaxBody = cmp.Or(s.MaxBody, 1<<20)
	s.MaxAnswer = cmp.Or(s.MaxAnswer, 8<<20)
	s.Timeout = cmp.Or(s.Timeout, 5*time.Second)
	s.MaxWork = cmp.Or(s.MaxWork, runtime.GOMAXPROCS(0))
	if s.Slots == nil {
		s.Slots, _ = session.NewMemory(nil) // the defaults are valid
	}
	if s.Logger == nil {
		s.Logger = slog.Default()
	}
}

// listAge is how long a client may keep lists, in milliseconds: they are part of
// this program.
const listAge = 5 * 60 * 1000

func setCacheable(_ context.Context, req sdk.Request, c *sdk.Cacheable) {
	if _, read := req.(*sdk.ReadResourceRequest); !read {
		c.TTLMs = listAge
	}
}

// newRevision is the first revision without sessions.
const newRevision = "2026-07-28"

// legacy returns the revisions before that.
func legacy() []string {
	var versions []string
	for _, v := range sdk.SupportedProtocolVersions() {
		if v < newRevision {
			versions = append(versions, v)
		}
	}
	return versions
}

// Handler returns the handler for the address of the server, such as /mcp. It
// looks at no path. Besides [http.Handler] it has a method Refuse, with which
// what stands before it can say no in the words of the protocol.
func (s *Server) Handler() *Handler {
	return &Handler{
		server: s,
		next: sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true,
			DisableLocalhostProtection: true, // ours says so in JSON
			MaxRequestBodyBytes:        -1,   // has been read
		}),
	}
}

// guard ends every call in time, and with an answer, even where there is a
// mistake in this program.
func (s *Server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
		ctx, cancel := context.WithDeadline(ctx, callerOf(ctx).deadline)
		defer cancel()
		defer func() {
			if p := recover(); p != nil {
				s.logPanic(p, "method", method)
				res, err = nil, rpcError(jsonrpc.CodeInternalError, internal.Message, internal)
			}
		}()
		return next(ctx, method, req)
	}
}

// logPanic logs a mistake in this program, and where it was made.
func (s *Server) logPanic(value any, at ...any) {
	stack := make([]byte, 16<<10)
	stack = stack[:runtime.Stack(stack, false)]
	s.Logger.Error("panic", append(at, "value", value, "stack", string(stack))...)
}

// caller is what is known of whoever sent a request.
type caller struct {
	session string // whose page is shown
	base    string // of addresses, or ""
	// deadline is when all that it asked for must be answered.
	deadline time.Time
}

type callerKey struct{}

func withCaller(ctx context.Context, c caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// callerOf returns the caller.
func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}
