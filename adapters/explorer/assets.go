package explorer

import (
	"embed"
	"net/http"
	"strings"

	"github.com/datachain-go/datachain/internal/answer"
)

// assetPrefix is the path of style sheets and scripts.
const assetPrefix = "/assets/"

//go:embed assets
var assetFiles embed.FS

// assets are the style sheet and the script. The names under which they are served have
// their hash, so that they can be cached forever.
type assets struct {
	names   map[string]string         // by file name
	answers map[string]*answer.Answer // by the name under which it is served
}

// assetTypes are the types of assets by extension.
var assetTypes = map[string]string{
	"css": "text/css; charset=utf-8",
	"js":  "text/javascript; charset=utf-8",
	"svg": "image/svg+xml; charset=utf-8",
}

func newAssets() *assets {
	a := &assets{names: make(map[string]string), answers: make(map[string]*answer.Answer)}
	entries, _ := assetFiles.ReadDir("assets") // embedded
	for _, entry := range entries {
		body, _ := assetFiles.ReadFile("assets/" + entry.Name())
		_, extension, _ := strings.Cut(entry.Name(), ".")
		name := hashedName(entry.Name(), body)
		a.names[entry.Name()] = name
		a.answers[name] = answer.New(assetTypes[extension], "public, max-age=31536000, immutable", body)
	}
	return a
}

// serveAsset sends a style sheet or a script.
func (e *Explorer) serveAsset(w http.ResponseWriter, r *http.Request, file string) {
	ans, ok := e.assets().answers[file]
	if name, isBuilt := strings.CutPrefix(file, builtPrefix); isBuilt {
		ans, ok = e.built.answer(name)
		w.Header().Set("Content-Security-Policy", e.playPolicy) // a Worker has that of its script
	}
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		e.fail(w, r, noPage())
		return
	}
	if e.send(w, r, ans) != nil {
		w.WriteHeader(http.StatusPreconditionFailed)
	}
}
