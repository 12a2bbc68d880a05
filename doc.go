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
// So far it reads. Packages validate and resolve do the rest of what there is,
// and will be behind this door, too, as will searching and icons.
package datachain
