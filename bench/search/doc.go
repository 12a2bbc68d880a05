// Command search compares the package search with other engines, in one run and
// with the same corpus and queries, and writes its section of docs/internals/measurements.md.
//
// It is a separate module, so that the other engines do not become dependencies.
// Run it with "make bench-search" in the root, or here for one engine and size:
//
//	go test -run '^$' -bench 'Search/datachain/10000' ./search
package main
