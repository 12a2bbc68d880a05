// Package document provides strict JSON with positions.
//
// [Parse] accepts UTF-8 without duplicate keys, lone surrogates, deep nesting or
// numbers that readers would change. The [Document] knows where each [Value] is:
// [Document.Locate] turns an [issue.Path] into lines and columns, counted in bytes,
// characters and UTF-16 units. [Canonical] returns the canonical form (RFC 8785)
// that this module hashes and measures.
package document
