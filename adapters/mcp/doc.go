// Package mcp serves a [datachain.Service] to language models over the Model Context
// Protocol: twelve tools, eight prompts, and a view of a datachain that a host can
// show.
//
//	server, err := mcp.New(service, &mcp.Options{BaseURL: "https://example.org"})
//	http.Handle("/mcp", server.Handler())             // streamable HTTP
//	err = server.ServeStdio(ctx, os.Stdin, os.Stdout) // or a program on the same machine
//
// # Answers
//
// Every tool answers with one envelope, {ok, data, meta} or {ok: false, errors,
// meta}, as structured content and as text. An invalid datachain is an answer;
// isError is for calls that could not be answered. A failure below the tools is a
// JSON-RPC error whose data is the envelope that REST would return.
//
// # Sessions
//
// The server keeps nothing of a client except the page that it rendered last, in
// [Options.Slots], under the Mcp-Session-Id of the request. A client may choose
// the id, or use the one that it gets with the answer to initialize. Clients
// without one share [DefaultSession], among them all that follow the revision
// 2026-07-28, which has no sessions. The client on stdio has a session of its own.
//
// # Transports
//
// HTTP and stdio hand messages to one core that knows neither. It needs no
// handshake, accepts batches in every revision, and parses a tool call twice: the
// message, and the datachain in it. HTTP adds headers, status codes and events; it
// accepts any session id, and clients that send half of an Accept header or none.
// Every failure is a JSON-RPC error.
package mcp
