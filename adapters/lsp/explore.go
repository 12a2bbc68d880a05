package lsp

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
)

// maxLink is the length of the longest address that is opened, as on the page itself:
// browsers and systems refuse longer ones.
const maxLink = 100_000

type exploreResult struct {
	// URI is the address of the page, which has the document in its fragment.
	URI string `json:"uri"`
}

// explore opens the document in the playground of an explorer. It is in the fragment of
// the address, compressed: browsers do not send that, so no server sees the document.
func (q *query) explore(_ context.Context, doc snapshot, show bool) (any, error) {
	base := q.session.server.options.BaseURL
	if base == "" {
		return nil, failed(codeRequestFailed, "There is no explorer to open the document in: set --base-url to the URL of a server, such as http://localhost:8080.")
	}
	link := base + "/play#doc=" + packed(doc.text.content)
	if len(link) > maxLink {
		return nil, failed(codeRequestFailed, "The document is too large for a link: it would have %d characters, and at most %d are possible.", len(link), maxLink)
	}
	if !show {
		return exploreResult{link}, nil
	}
	if !q.session.client.showDocument {
		return nil, failed(codeRequestFailed, "The editor can't open pages: it must support window/showDocument.")
	}
	q.session.ask("window/showDocument", showDocumentParams{link, true})
	return nil, nil
}

// packed returns a text as links have it: compressed (DEFLATE, RFC 1951), then base64url
// (RFC 4648) without padding.
func packed(text []byte) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is valid
	_, _ = w.Write(text)                               // a buffer takes everything
	_ = w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}
