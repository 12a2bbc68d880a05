// Package mcp offers a [datachain.Service] to language models over the Model
// Context Protocol: eleven tools, five prompts, and a view of a datachain that a
// host can show.
//
//	server := mcp.New(service, &mcp.Options{BaseURL: "https://example.org"})
//	http.Handle("/mcp", server.Handler())          // streamable HTTP
//	err := server.ServeStdio(ctx, os.Stdin, os.Stdout) // or a program on the same machine
//
// # Answers
//
// Every tool answers with one envelope, {ok, data, meta} or {ok: false, errors,
// meta}, as structured content and as text. A datachain that is not valid is an
// answer; isError is for calls that could not be answered. What fails below a
// tool is a JSON-RPC error, whose data is the envelope that REST would give.
//
// # Sessions
//
// The server keeps nothing of a client but the page that it rendered last, in
// [Options.Slots], by the id that the client sends as Mcp-Session-Id. A client may choose
// that id, or take the one that it is given with the answer to initialize. Clients
// without one share a slot: those that follow the revision 2026-07-28, which knows
// no sessions. On stdio, where there is one client, it has a slot of its own.
//
// # The front
//
// The protocol is spoken by the official SDK, without sessions. Before it stands a
// front for what the SDK refuses and a plain client does: a call without a
// handshake, without Accept or with half of one, batches, any session id. It
// answers every mistake with a JSON-RPC error instead of plain text. What comes
// over stdio goes through it, too, so that both are the same.
package mcp
