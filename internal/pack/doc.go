// Package pack provides the container of a packed release: one file with named
// sections, which readers use in place.
//
// A pack is written from front to back and read from memory, which may be a
// mapped file:
//
//	w := pack.NewWriter(file)
//	w.Begin(pack.Search("en"))
//	w.Write(index)
//	w.Close()
//
//	p, err := pack.Open(data)
//	if err != nil { … }
//	index, ok := p.Section(pack.Search("en"))
//
// The same sections give the same bytes. Sections begin at multiples of eight
// bytes. Readers ignore sections that they don't know, so later versions can add
// some without another format number.
//
// A section that is a [Table] maps keys to values and holds each distinct value
// once. A lookup reads a few of its bytes; opening it decodes nothing.
//
// # Untrusted input
//
// Opening and reading never panic and never read outside the data, whatever the
// data is. A pack does not prove what it contains: readers compare its SHA-256
// with the one in the index, and the content hash of the release with the one
// computed from it.
//
// docs/pack-format.md specifies the format byte by byte.
package pack
