package explorer

import (
	"io/fs"
	"sync"

	"github.com/datachain-go/datachain/internal/answer"
)

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

// built are the files of the editor, which are read when they are first asked for. It is nil
// if one of them is missing.
type built map[string]func() *answer.Answer

func newBuilt(from fs.FS) built {
	if from == nil {
		return nil
	}
	files := make(built)
	for name, contentType := range builtTypes {
		if info, err := fs.Stat(from, name); err != nil || info.IsDir() {
			return nil
		}
		files[name] = sync.OnceValue(func() *answer.Answer {
			body, err := fs.ReadFile(from, name)
			if err != nil {
				return nil
			}
			// The names stay the same when the editor is built again.
			return answer.New(contentType, "no-cache", body)
		})
	}
	return files
}

// answer returns a file.
func (b built) answer(name string) (*answer.Answer, bool) {
	read := b[name]
	if read == nil {
		return nil, false
	}
	ans := read()
	return ans, ans != nil
}
