package view

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"sync"
)

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// asset is what every page has.
type asset struct {
	// policy is what the page itself says that it may do.
	policy string
	// head goes into the head, script at the end of the body.
	head, script template.HTML
}

// assets are made once. Nothing of a document comes near them.
var assets = sync.OnceValue(func() asset {
	a := asset{policy: "default-src 'none'; script-src " + hash(pageJS) + "; style-src " + hash(pageCSS) +
		"; form-action 'none'; base-uri 'none'"}
	// The policy comes first: it holds for what follows it.
	a.head = template.HTML(`<meta http-equiv="Content-Security-Policy" content="` + template.HTMLEscapeString(a.policy) + `">` + //nolint:gosec // our own
		"\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">" +
		"\n<meta name=\"color-scheme\" content=\"light dark\">" +
		"\n<meta name=\"referrer\" content=\"no-referrer\">" +
		"\n<style>" + pageCSS + "</style>")
	a.script = template.HTML("<script>" + pageJS + "</script>") //nolint:gosec // our own
	return a
})

// hash is how a policy names a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// ContentSecurityPolicy returns the header field to serve pages with. It allows
// what the page says of itself, its one script and its one style sheet, and keeps
// it apart from everything else on the same host: the page has an origin of its
// own, and no other page can frame it.
func ContentSecurityPolicy() string {
	return assets().policy + "; frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox"
}
