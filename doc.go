// Package datachain is the entry point of this module for Go programs and for the
// adapters that speak a protocol.
//
// A datachain is a document that tells how a system works by placing elements of
// a published taxonomy. A [Service] opens schema versions of a [taxonomy.Store];
// a [Schema] is one opened version with all of its operations:
//
//	store, err := fsstore.OpenDir("taxonomies", nil) // or memstore, livestore, httpstore
//	…
//	service, err := datachain.New(store, nil)
//	…
//	schema, err := service.Open(ctx, "ai@latest")
//	…
//	page, err := schema.Elements(ctx, datachain.ElementQuery{Text: "who decides"})
//	verdict, err := schema.Validate(ctx, document, nil)
//
// # Opening
//
// [Service.Versions] lists what is published. [Service.Open] opens a version by its
// id or an alias, [Service.OpenFor] the one that a document pins. A Schema does not
// change: everything that it returns belongs to one release.
//
// # Reading
//
// [Schema.Release] returns the release with its manifest, categories, elements and
// symbols. [Schema.Elements] lists and searches elements, [Schema.Element] and
// [Schema.ElementsByID] look them up. [Schema.Symbol], [Schema.Icon] and [Shape]
// return SVG. A [Projection] selects how much of an element to show.
//
// # Judging
//
// [Service.Validate] judges a document by the version that it pins; on a Schema,
// [Schema.Validate] judges a thin document and [Schema.ValidateResolved] a resolved
// one. All return a [Verdict], which has the findings with their positions and, on
// request, the fixed text. [Schema.Resolve] makes a document self-contained, and
// [Schema.Present] prepares it to be shown.
//
// # Errors
//
// Every error is an [*Error]: an issue with a stable code, a message and a hint
// that anyone may see, the parameter at fault, and the cause for the operator. That
// a document is invalid is not an error.
//
// The packages validate, resolve, icons and search do the work on the values of
// package taxonomy and can be used by themselves. adapters/httpapi and adapters/mcp
// serve a Service over HTTP and MCP; adapters/laststore keeps serving the last good
// data while a store fails.
package datachain
