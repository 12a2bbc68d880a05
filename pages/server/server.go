// Package server provides a whole server as one [http.Handler]: the REST API, MCP and pages over a
// store, with all that the product adds to the service.
//
//	handler, err := server.New(store, &server.Options{Prefix: "/taxonomies", Authenticate: signedIn})
//	http.Handle("/taxonomies/", handler)
//
// It has no ports, signals or metrics: these belong to the program. The datachain command serves the
// same handler.
//
// # Experimental
//
// This package may change in a minor version.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/mcp"
	history "github.com/datachain-go/datachain/history/rest"
	historytools "github.com/datachain-go/datachain/history/tools"
	"github.com/datachain-go/datachain/internal/product"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/pages/view/mcpapp"
	render "github.com/datachain-go/datachain/pages/view/rest"
	"github.com/datachain-go/datachain/register"
	documents "github.com/datachain-go/datachain/register/rest"
	"github.com/datachain-go/datachain/register/tools"
	releases "github.com/datachain-go/datachain/release/rest"
	releasetools "github.com/datachain-go/datachain/release/tools"
	"github.com/datachain-go/datachain/taxonomy"
)

// Options configure a server. Nil and the zero value mean the defaults: everything, without a
// register, at the root of the host.
type Options struct {
	// Prefix is the path of the server in the program, such as /taxonomies; "" means the root. It is
	// the default of HTTP.BaseURL, whose path must end with it.
	Prefix string
	// Authenticate is middleware that only lets permitted requests pass, for example those with a
	// bearer token; nil means that everyone may read. It gets every request before anything else does,
	// with its whole path: also those for style sheets, and CORS preflights, which browsers send
	// without a token. It sets HTTP.Private.
	Authenticate func(http.Handler) http.Handler

	// Documents are the origins of a register of documents, the first of which has precedence; none
	// means that there is no register. Register configures it.
	Documents []register.Origin
	Register  register.Options
	// Log reads a file of the signed log of the store, such as checkpoint or tile/0/000, or wraps
	// [io/fs.ErrNotExist]; nil means that there is no log.
	Log func(ctx context.Context, name string) ([]byte, error)
	// Ready returns an error if pages and MCP can't be served now for a reason that other servers may
	// not have; see [httpapi.Mount]. The version is the one that a page is about, or "". Nil means that
	// they always can.
	Ready func(ctx context.Context, version string) error

	// Service configures the service. New sets Lineage, and adds rules to Rules.
	Service datachain.Options
	// HTTP configures the API, and what holds for all requests: the base URL, privacy, the limiter,
	// limits, the logger and hooks. New adds to Routes and Mounts.
	HTTP httpapi.Options
	// MCP configures the server at /mcp. New sets BaseURL, Private, Logger and, with documents,
	// Resources, and adds to Tools. By default, the limits are those of HTTP, and View is the page of a
	// document.
	MCP mcp.Options
	// Pages configures the pages at /. New sets BaseURL, Private, Logger, Documents, OpenAPI and, unless
	// NoMCP, also MCP, Tools and Prompts. By default, the limits are those of HTTP, with half of
	// CacheBytes.
	Pages pages.Options
	// NoMCP and NoPages leave them out.
	NoMCP, NoPages bool
}

// Server is a whole server. It is safe for concurrent use.
type Server struct {
	http.Handler
	Service *datachain.Service
	// Register is nil if there are no documents, and MCP is nil if it was left out.
	Register *register.Register
	MCP      *mcp.Server
}

// New returns the server of a store. It fails if an option is invalid, or if documents can't be read;
// see [register.Options]. Close it if it has documents.
func New(store taxonomy.Store, o *Options) (*Server, error) {
	var with Options
	if o != nil {
		with = *o
	}
	if err := with.complete(); err != nil {
		return nil, err
	}
	s := new(Server)
	if err := s.open(store, &with); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if with.Prefix != "" {
		s.Handler = http.StripPrefix(with.Prefix, s.Handler)
	}
	if with.Authenticate != nil {
		s.Handler = with.Authenticate(s.Handler)
	}
	return s, nil
}

// complete sets what several parts have in common.
func (o *Options) complete() error {
	if o.Prefix = strings.TrimSuffix(o.Prefix, "/"); o.Prefix != "" {
		if o.Prefix[0] != '/' || path.Clean(o.Prefix) != o.Prefix {
			return fmt.Errorf("server: Prefix %q must begin with / and have no empty or dot segments", o.Prefix)
		}
		o.HTTP.BaseURL = cmp.Or(o.HTTP.BaseURL, (&url.URL{Path: o.Prefix}).EscapedPath())
		if u, err := url.Parse(o.HTTP.BaseURL); err == nil && !strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), o.Prefix) {
			return fmt.Errorf("server: the path of BaseURL %q must end with Prefix %q", u.Redacted(), o.Prefix)
		}
	}
	o.HTTP.Private = o.HTTP.Private || o.Authenticate != nil

	o.MCP.BaseURL, o.MCP.Private, o.MCP.Logger = o.HTTP.BaseURL, o.HTTP.Private, o.HTTP.Logger
	o.MCP.MaxBody = cmp.Or(o.MCP.MaxBody, o.HTTP.MaxBody)
	o.MCP.MaxWork = cmp.Or(o.MCP.MaxWork, o.HTTP.MaxWork)
	o.MCP.Timeout = cmp.Or(o.MCP.Timeout, o.HTTP.WorkTimeout)
	if o.MCP.View == nil {
		o.MCP.View = mcpapp.View{}
	}

	o.Pages.BaseURL, o.Pages.Private, o.Pages.Logger = o.HTTP.BaseURL, o.HTTP.Private, o.HTTP.Logger
	o.Pages.MaxBody = cmp.Or(o.Pages.MaxBody, o.HTTP.MaxBody)
	o.Pages.MaxWork = cmp.Or(o.Pages.MaxWork, o.HTTP.MaxWork)
	o.Pages.Timeout = cmp.Or(o.Pages.Timeout, o.HTTP.WorkTimeout)
	o.Pages.CacheBytes = cmp.Or(o.Pages.CacheBytes, o.HTTP.CacheBytes-o.HTTP.CacheBytes/2)
	return nil
}

// open puts the parts together. The adapters know the service only, and everything that the product
// adds to them is handed over here: what is missing here is absent without an error. The test of
// served answers in cmd/internal/command compares it with recorded lists.
func (s *Server) open(store taxonomy.Store, o *Options) (err error) {
	if s.Service, err = product.New(store, &o.Service); err != nil {
		return err
	}
	if len(o.Documents) > 0 {
		if s.Register, err = register.New(s.Service, o.Documents, &o.Register); err != nil {
			return err
		}
	}
	o.HTTP.Routes = slices.Concat(o.HTTP.Routes, Routes(s.Register, o.Log, o.HTTP.Logger))
	o.HTTP.Mounts = slices.Clone(o.HTTP.Mounts)
	if !o.NoMCP {
		if err := s.mountMCP(o); err != nil {
			return err
		}
	}
	if !o.NoPages {
		if err := s.mountPages(o); err != nil {
			return err
		}
	}
	s.Handler, err = httpapi.New(s.Service, &o.HTTP)
	return err
}

// Routes returns what the product adds to the REST API, with the documents of a register unless it is
// nil. The function reads files of the signed log of the store; nil means that there is none.
func Routes(r *register.Register, log func(context.Context, string) ([]byte, error), logger *slog.Logger) []httpapi.Route {
	routes := slices.Concat(
		[]httpapi.Route{releases.Mappings(), releases.InstanceSchema(), render.Render()}, history.Routes(), releases.Log(log, logger))
	if r != nil {
		routes = append(routes, documents.Routes(r)...)
	}
	return routes
}

func (s *Server) mountMCP(o *Options) (err error) {
	const at = "/mcp"
	added := slices.Concat(releasetools.New(), historytools.New())
	if s.Register != nil {
		added = slices.Concat(added, tools.New(s.Register, o.MCP.BaseURL))
		o.MCP.Resources = tools.Resources(s.Register)
	}
	o.MCP.Tools = slices.Concat(added, o.MCP.Tools)
	if s.MCP, err = mcp.New(s.Service, &o.MCP); err != nil {
		return err
	}
	o.Pages.MCP = at
	o.Pages.Tools, o.Pages.Prompts = mcp.Operations(o.MCP.Tools...)
	m := httpapi.Mount{Path: at, Handler: s.MCP.Handler(), Refuse: s.MCP.Refuse}
	if o.Ready != nil {
		m.Ready = func(ctx context.Context, r *http.Request) error {
			if r.Method != http.MethodPost {
				return nil // only messages need the store
			}
			return o.Ready(ctx, "")
		}
	}
	o.HTTP.Mounts = append(o.HTTP.Mounts, m)
	return nil
}

func (s *Server) mountPages(o *Options) (err error) {
	o.Pages.Documents = s.Register
	if o.Pages.OpenAPI, err = httpapi.OpenAPI(o.HTTP.BaseURL, o.HTTP.Routes...); err != nil {
		return err
	}
	handler, err := pages.New(s.Service, &o.Pages)
	if err != nil {
		return err
	}
	m := httpapi.Mount{Path: "/", Handler: handler, Bucket: handler.Bucket, Refuse: handler.Refuse}
	if o.Ready != nil {
		m.Ready = func(ctx context.Context, r *http.Request) error {
			version, needed := handler.Version(r)
			if !needed {
				return nil
			}
			return o.Ready(ctx, version)
		}
	}
	o.HTTP.Mounts = append(o.HTTP.Mounts, m)
	return nil
}

// Close stops reading documents.
func (s *Server) Close() error {
	if s.Register == nil {
		return nil
	}
	return s.Register.Close()
}
