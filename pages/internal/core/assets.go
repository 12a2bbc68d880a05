package core

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/httpcache"
)

// AssetPrefix is the path of style sheets and scripts, and mainStyle the style sheet of all pages.
const (
	AssetPrefix = "/assets/"
	mainStyle   = "explorer.css"
)

// Assets are style sheets and scripts. The names under which they are served have
// their hash, so that they can be cached forever.
type Assets struct {
	Names   map[string]string            // by file name
	Answers map[string]*httpcache.Answer // by the name under which it is served
}

// assetTypes are the types of assets by extension.
var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml; charset=utf-8",
}

// Files returns the style sheets and scripts among the files of a room, for [Room].
func Files(room fs.FS) func() map[string][]byte {
	return func() map[string][]byte {
		list := make(map[string][]byte)
		entries, _ := fs.ReadDir(room, ".") // embedded
		for _, entry := range entries {
			if assetTypes[path.Ext(entry.Name())] != "" {
				list[entry.Name()], _ = fs.ReadFile(room, entry.Name())
			}
		}
		return list
	}
}

func newAssets(rooms []Room) *Assets {
	a := &Assets{Names: make(map[string]string), Answers: make(map[string]*httpcache.Answer)}
	for _, r := range rooms {
		if r.Assets == nil {
			continue
		}
		for file, body := range r.Assets() {
			name := HashedName(file, body)
			a.Names[file] = name
			a.Answers[name] = httpcache.NewAnswer(assetTypes[path.Ext(file)], "public, max-age=31536000, immutable", body)
		}
	}
	return a
}

// EditorPrefix is the path of the editor, which make web builds, below that of assets, and EditorFile
// its script.
const (
	EditorPrefix = "editor/"
	EditorFile   = "editor.js"
)

// editorTypes are the files of the editor: its script, that of its Worker, and the language
// server.
var editorTypes = map[string]string{
	EditorFile:  "text/javascript; charset=utf-8",
	"worker.js": "text/javascript; charset=utf-8",
	"lsp.wasm":  "application/wasm",
}

// Editor is the files of the editor, which are read when they are first asked for. It is
// nil if one of them is missing.
type Editor map[string]func() *httpcache.Answer

func newEditor(from fs.FS) Editor {
	if from == nil {
		return nil
	}
	files := make(Editor)
	for name, contentType := range editorTypes {
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

// Answer returns a file.
func (e Editor) Answer(name string) (*httpcache.Answer, bool) {
	read := e[name]
	if read == nil {
		return nil, false
	}
	ans := read()
	return ans, ans != nil
}

// HashedName returns the name under which a file is served, which has its hash, so that it
// can be cached forever.
func HashedName(name string, body []byte) string {
	stem, extension, _ := strings.Cut(name, ".")
	sum := sha256.Sum256(body)
	return stem + "." + hex.EncodeToString(sum[:6]) + "." + extension
}
