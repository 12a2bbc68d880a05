// Package datachain is the door of this module for Go programs and for the
// adapters that speak a protocol: a [Service] over a [taxonomy.Store], with one
// method for each operation, plain Go values in and out, and failures that
// carry a stable code.
//
//	store, err := taxonomies.Store() // the sample taxonomies
//	…
//	service := datachain.New(store)
//	release, element, err := service.Element(ctx, "ai@latest", "purpose.triage")
//
// So far it reads; validating, resolving, searching and icons are to come.
package datachain
