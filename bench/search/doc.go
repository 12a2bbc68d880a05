// Command search measures package search beside other engines, in one run and
// on the same corpus and queries, and writes the page docs/search-speed.md.
//
// It is in a module of its own, so that no engine that we compare ourselves with
// becomes a dependency of ours. Run it with "make bench-search" in the root, or
// here, with the figures of one engine and size alone, as
//
//	go test -run '^$' -bench 'Search/datachain/10000' ./search
package main
