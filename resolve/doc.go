// Package resolve makes a datachain self-contained: it embeds the part of the schema
// version that the document uses, so that the document can be read without a store,
// even when the version is no longer published.
//
// [Resolve] returns a [Bundle], which is canonical JSON (RFC 8785). It consists of
// texts that the document and the release have already, so resolving encodes nothing.
//
// Validate a document with package validate before resolving it.
package resolve
