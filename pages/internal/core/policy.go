package core

import "github.com/datachain-go/datachain/pages/view"

// Policy, Nosniff and NoReferrer are values of headers that all pages have. Only our own files are
// loaded, nothing inline, and nothing from other hosts; icons are part of the page.
var (
	Policy = []string{"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"}
	Nosniff    = []string{"nosniff"}
	NoReferrer = []string{"no-referrer"}
)

// ToolPolicy lets a page show a document in a frame with the style sheet of its page and, with the
// editor, run WebAssembly.
func ToolPolicy(editor bool) string {
	scripts, images := "'self'", "'self'"
	if editor {
		scripts, images = "'self' 'wasm-unsafe-eval'", "'self' data:" // data: for squiggles and icons of the editor
	}
	return "default-src 'none'; script-src " + scripts + "; worker-src 'self'; style-src 'self' " + view.StyleSource() + "; img-src " + images +
		"; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// WorkerScript is the script that runs the WebAssembly of a static site, and WorkerPolicy its policy.
const (
	WorkerScript = "site-worker.js"
	WorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
)
