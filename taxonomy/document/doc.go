// Package document provides strict JSON with positions.
//
// [Parse] accepts a subset of JSON that all readers understand alike: UTF-8, no
// duplicate keys, no lone surrogates, limited nesting, and only numbers that readers
// with float64 do not change. A [SyntaxError] says what is wrong and where.
//
// A [Document] is a tree of values. [Document.Find] and [Document.Locate] turn an
// [issue.Path] into a [Value] and into lines and columns, counted in bytes,
// characters and UTF-16 code units. [Lines] converts between offsets and these
// units for any text.
//
// [Pool.Parse] parses documents that contain many known objects: the tree of a [Part] is
// copied, and what was found out about it holds in every document.
//
// [Canonical] returns the canonical form (RFC 8785), which this module hashes and
// measures.
package document
