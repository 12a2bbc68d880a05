// Package datachain tells how a system works, by documents that place elements
// of a published taxonomy. It is the door of this module for Go programs, and for
// the adapters that speak a protocol: a [Service] over a [taxonomy.Store], with
// one method for each operation, plain Go values in and out, and failures that
// carry a stable code.
//
//	store, err := fsstore.OpenDir("taxonomies", nil) // or memstore, livestore, httpstore
//	…
//	service := datachain.New(store, nil)
//	page, err := service.Elements(ctx, "ai@latest", datachain.ElementQuery{Text: "who decides"})
//	verdict, err := service.Validate(ctx, "ai@latest", document)
//
// # Reading
//
// [Service.Versions] lists what is published. [Service.Release] returns all of
// one version; [Service.Manifest], [Service.Categories], [Service.Elements],
// [Service.Element] and [Service.ElementsByID] parts of it, [Service.Shape],
// [Service.Symbol] and [Service.Icon] its pictures. A [Projection] says how much
// of an element to show.
//
// # Judging
//
// [Service.Validate] says what is wrong with a datachain, [Service.Resolve] makes
// it self-contained, [Service.ValidateResolved] judges one that is, and
// [Service.Present] makes either ready to be shown. That a document is invalid is
// an answer, a [Verdict], not an error.
//
// # Failures
//
// Every error is an [*Error]: an issue with a code, a message that may be shown to
// anyone and a hint, and the cause for whoever runs the program. While a store
// fails, a service goes on with what it has read last.
//
// The pure packages below do the work and can be used by themselves: validate,
// resolve, icons and search, on the values of taxonomy. The adapters above serve a
// Service over HTTP (adapters/httpapi) and MCP (adapters/mcp).
package datachain
