package server

import (
	"context"
	"log/slog"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/view/mcpapp"
	render "github.com/datachain-go/datachain/adapters/view/rest"
	history "github.com/datachain-go/datachain/history/rest"
	historytools "github.com/datachain-go/datachain/history/tools"
	"github.com/datachain-go/datachain/internal/product"
	"github.com/datachain-go/datachain/register"
	documents "github.com/datachain-go/datachain/register/rest"
	"github.com/datachain-go/datachain/register/tools"
	releases "github.com/datachain-go/datachain/release/rest"
	releasetools "github.com/datachain-go/datachain/release/tools"
	"github.com/datachain-go/datachain/taxonomy"
)

// served is what a store is served as.
type served struct {
	service  *datachain.Service
	register *register.Register // nil for no documents
	api      httpapi.Options    // without what depends on the address
	mcp      *mcp.Server        // nil if it is off
	pages    *explorer.Explorer // nil if they are off
}

// wire puts together what is served. The adapters know the service only, and everything that the
// product adds to them is handed over here: what is missing here is absent without an error. The test
// of served answers in cmd/datachain compares it with recorded lists.
func wire(store taxonomy.Store, o *Options, report func(error)) (w served, err error) {
	defer func() {
		if err != nil {
			w.closeDocuments()
			w = served{}
		}
	}()
	w.service, err = product.New(store, &datachain.Options{MaxInput: int(o.HTTP.MaxBody), MaxCPU: o.MaxCPU, Report: report})
	if err != nil {
		return w, err
	}
	if w.register, err = o.openDocuments(w.service); err != nil {
		return w, err
	}

	w.api = o.HTTP
	w.api.Logger, w.api.Routes = o.Logger, slices.Concat(o.HTTP.Routes, Routes(w.register, o.Log, o.Logger))

	var callable []mcp.Tool // besides those of the service
	if o.MCP != nil {
		callable = slices.Concat(releasetools.New(), historytools.New())
		if w.register != nil {
			callable = slices.Concat(callable, tools.New(w.register, o.MCP.BaseURL))
		}
		callable = slices.Concat(callable, o.MCP.Tools)
		with := *o.MCP
		with.Logger, with.View, with.Tools = o.Logger, mcpapp.View{}, callable
		if w.register != nil {
			with.Resources = tools.Resources(w.register)
		}
		if w.mcp, err = mcp.New(w.service, &with); err != nil {
			return w, err
		}
	}

	if o.Explorer != nil {
		pages := *o.Explorer
		pages.Logger, pages.Documents = o.Logger, w.register
		if pages.OpenAPI, err = httpapi.OpenAPI(o.HTTP.BaseURL, w.api.Routes...); err != nil {
			return w, err
		}
		if o.MCP != nil {
			pages.Tools, pages.Prompts = mcp.Operations(callable...)
		}
		if w.pages, err = explorer.New(w.service, &pages); err != nil {
			return w, err
		}
	}
	return w, nil
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

// closeDocuments stops reading documents.
func (w *served) closeDocuments() {
	if w.register != nil {
		_ = w.register.Close() // it was only read
	}
}
