// Package lsp provides a language server (LSP 3.17) for datachain documents and
// authoring source: an editor shows the findings of [datachain.Service.Validate] and
// of package source while the author types.
//
//	server := lsp.New(func(ctx context.Context, folders []string) (*lsp.Releases, error) {
//		return &lsp.Releases{Service: service, Origin: "the store in taxonomies"}, nil
//	}, nil)
//	err := server.Serve(ctx, lsp.NewStream(os.Stdin, os.Stdout, nil))
//
// # The path of a message
//
// A [Conn] carries messages: a [Stream] frames them with Content-Length, as editors
// expect; a Worker in a browser hands them over one by one. One goroutine per client
// reads them. It handles notifications itself, in order, so that it always knows
// the current text of each document. A request gets the text as it was when the
// request arrived, and runs concurrently with others until it is answered or
// canceled. Answers, diagnostics and log messages go through one queue to the
// client.
//
// # Diagnostics
//
// Each change of a document starts a new run and cancels the one before. What a run
// found is sent only if its text is still the current one, and with its version, so
// an editor never shows findings of an older text. A client that supports pull
// diagnostics asks for them instead: for one document, or for all of them, with result
// ids, so that what has not changed is not sent again.
//
// # Workspace
//
// [Options.Folder] opens the folders of a workspace. A folder can have releases of its
// own, which its documents are judged by; others use those of [OpenFunc]. If a folder has
// files, one goroutine looks for documents in them and judges those that are not open. It
// waits while requests and open documents need an answer, and reads no more than
// [Limits] allow. If the releases change, all documents are judged again.
//
// # Documents
//
// A document is recognized by its content, a JSON object with schema_version and
// elements, or by its name, *.datachain.json. Half-typed text is read by package
// tolerant, so completion, symbols and folding always work. No rule is in this package:
// it shows what the library finds.
//
// # Commands
//
// datachain.resolve answers the resolved document, and datachain.preview the document as
// a page; while the document is invalid, that of its last valid text and a note. Their
// argument is the URI of an open document. Most clients drop the answer of a command, so
// with {"uri": …, "show": true} the server instead asks the client to write the resolved
// document to a file, or to open the page in a browser ([Options.SavePage]). Code lenses
// do this, for clients that can. datachain.upgrade answers the document and the report of
// moving it to the latest stable version, or edits it; its lens is there if that version
// is newer than the pinned one.
//
// # Source
//
// If [Releases.Source] is set, files in it are linted whenever one of them changes,
// with the texts that are open in the editor in place of the saved ones. The versions
// that changed are compiled again by one goroutine; results that a later change has
// superseded are dropped. Hovers and navigation use the outline of a version, which needs
// no valid source. Completion decides by the lines around the cursor what belongs there,
// since a file that is being typed is rarely YAML; the ids of such a file are those of
// its last good text. The outline of a version is kept, and updated by the files that
// change. The server ignores all other files.
//
// The package does no I/O by itself and compiles for js/wasm.
package lsp
