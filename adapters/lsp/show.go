package lsp

import (
	"net/url"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Requests and notifications of the server that show something to the user.
type (
	showDocumentParams struct {
		URI      string `json:"uri"`
		External bool   `json:"external"`
	}
	showMessageParams struct {
		Type    int    `json:"type"`
		Message string `json:"message"`
	}
	applyEditParams struct {
		Label string        `json:"label"`
		Edit  workspaceEdit `json:"edit"`
	}
	createFile struct {
		Kind    string `json:"kind"`
		URI     string `json:"uri"`
		Options struct {
			IgnoreIfExists bool `json:"ignoreIfExists"`
		} `json:"options"`
	}
)

const messageWarning = 2

// ask sends a request whose answer does not matter: if the client can't do it, it
// tells the user.
func (s *session) ask(method string, params any) {
	s.out.put(notification{version2, jsontext.Value(`"` + method + `"`), method, params})
}

// message shows a message to the user.
func (s *session) message(kind int, text string) {
	s.out.put(notification{Version: version2, Method: "window/showMessage", Params: showMessageParams{kind, text}})
}

// canShowPages reports whether the client can open a page in a browser.
func (s *session) canShowPages() bool {
	return s.client.showDocument && s.server.options.SavePage != nil
}

// showResolved lets the client write a resolved document beside the thin one. If
// there is a file already, its text is replaced, which the user can undo.
func (s *session) showResolved(uri string, text []byte) error {
	if !s.client.createFiles {
		return failed(codeRequestFailed, "The editor can't create files: it must support workspace/applyEdit with the operation create.")
	}
	doc, err := document.Parse(text)
	if err != nil {
		return err
	}
	f := formatter{ctx: s.ctx, indent: "  ", newline: "\n"}
	f.value(doc.Root(), 0)
	create := createFile{Kind: "create", URI: resolvedURI(uri)}
	create.Options.IgnoreIfExists = true
	write := documentEdit{Edits: []textEdit{{span{End: position{Line: lastLine}}, string(append(f.b, '\n'))}}}
	write.Document.URI = create.URI
	s.ask("workspace/applyEdit", applyEditParams{
		Label: "Resolve " + baseName(uri), Edit: workspaceEdit{DocumentChanges: []any{create, write}},
	})
	return nil
}

// lastLine is after the end of every text. Clients move positions into the text.
const lastLine = 1<<31 - 1

// resolvedURI returns where to write the resolved form of a document:
// chain.resolved.json for chain.json and chain.datachain.json.
func resolvedURI(uri string) string {
	rest, found := strings.CutSuffix(uri, extension)
	if !found {
		rest = strings.TrimSuffix(uri, ".json")
	}
	return rest + ".resolved.json"
}

// baseName returns the name of a file, for messages.
func baseName(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Path == "" {
		return prose.Clip(uri)
	}
	return path.Base(u.Path)
}
