package pages

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/pages/boardpage"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/view"
)

// documentStyle and boardStyle are the style sheets of what other packages draw.
const (
	documentStyle = "document.css"
	boardStyle    = "board.css"
)

// assetPrefix is the path of style sheets and scripts.
const assetPrefix = "/assets/"

//go:embed assets
var assetFiles embed.FS

// assets are the style sheet and the script. The names under which they are served have
// their hash, so that they can be cached forever.
type assets struct {
	names   map[string]string            // by file name
	answers map[string]*httpcache.Answer // by the name under which it is served
}

// assetTypes are the types of assets by extension.
var assetTypes = map[string]string{
	"css": "text/css; charset=utf-8",
	"js":  "text/javascript; charset=utf-8",
	"svg": "image/svg+xml; charset=utf-8",
}

func newAssets() *assets {
	a := &assets{names: make(map[string]string), answers: make(map[string]*httpcache.Answer)}
	add := func(file string, body []byte) {
		_, extension, _ := strings.Cut(file, ".")
		name := hashedName(file, body)
		a.names[file] = name
		a.answers[name] = httpcache.NewAnswer(assetTypes[extension], "public, max-age=31536000, immutable", body)
	}
	add(documentStyle, []byte(view.Style()))
	add(boardStyle, []byte(boardpage.CSS))
	entries, _ := assetFiles.ReadDir("assets") // embedded
	for _, entry := range entries {
		body, _ := assetFiles.ReadFile("assets/" + entry.Name())
		if entry.Name() == "explorer.css" {
			body = append([]byte(style.CSS), body...)
		}
		add(entry.Name(), body)
	}
	return a
}

// serveAsset sends a style sheet or a script.
func (e *Handler) serveAsset(w http.ResponseWriter, r *http.Request, file string) {
	ans, ok := e.assets().answers[file]
	// A Worker has the policy of its script.
	if name, isBuilt := strings.CutPrefix(file, builtPrefix); isBuilt {
		ans, ok = e.built.answer(name)
		w.Header().Set("Content-Security-Policy", e.playPolicy)
	} else if file == e.assets().names["site-worker.js"] {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'")
	}
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		e.fail(w, r, noPage())
		return
	}
	if e.send(w, r, ans) != nil {
		w.WriteHeader(http.StatusPreconditionFailed)
	}
}

// builtPrefix is the path of what make web builds, below that of assets, and editorFile the
// script of the editor.
const (
	builtPrefix = "editor/"
	editorFile  = "editor.js"
)

// builtTypes are the files of the editor: its script, that of its Worker, and the language
// server.
var builtTypes = map[string]string{
	editorFile:  "text/javascript; charset=utf-8",
	"worker.js": "text/javascript; charset=utf-8",
	"lsp.wasm":  "application/wasm",
}

// built are files that make web builds, which are read when they are first asked for. It is
// nil if one of them is missing.
type built map[string]func() *httpcache.Answer

func newBuilt(from fs.FS) built {
	if from == nil {
		return nil
	}
	files := make(built)
	for name, contentType := range builtTypes {
		if info, err := fs.Stat(from, name); err != nil || info.IsDir() {
			return nil
		}
		files[name] = sync.OnceValue(func() *httpcache.Answer {
			body, err := fs.ReadFile(from, name)
			if err != nil {
				return nil
			}
			// The names stay the same when the files are built again.
			return httpcache.NewAnswer(contentType, "no-cache", body)
		})
	}
	return files
}

// answer returns a file.
func (b built) answer(name string) (*httpcache.Answer, bool) {
	read := b[name]
	if read == nil {
		return nil, false
	}
	ans := read()
	return ans, ans != nil
}
