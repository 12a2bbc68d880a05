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

// asset is the constant parts of every page.
type asset struct {
	policy       string        // the Content-Security-Policy of the page itself
	head, script template.HTML // for the head and for the end of the body
}

// assets are made once. They contain nothing of a document.
var assets = sync.OnceValue(func() asset {
	policy := "default-src 'none'; script-src " + hash(pageJS) + "; style-src " + hash(pageCSS) + "; form-action 'none'; base-uri 'none'"
	return asset{
		policy: policy,
		// The policy comes first, because it applies to what follows it.
		head: template.HTML(`<meta http-equiv="Content-Security-Policy" content="` + template.HTMLEscapeString(policy) + `">` + //nolint:gosec // our own
			"\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">" +
			"\n<meta name=\"color-scheme\" content=\"light dark\">" +
			"\n<meta name=\"referrer\" content=\"no-referrer\">" +
			"\n<style>" + pageCSS + "</style>"),
		script: template.HTML("<script>" + pageJS + "</script>"), //nolint:gosec // our own
	}
})

// hash returns the source expression that allows a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// StyleSource returns the source expression that allows the style sheet of a page in a
// Content-Security-Policy. A page in the srcdoc of a frame is subject to the policy of the
// page around it.
func StyleSource() string { return hash(pageCSS) }

// ContentSecurityPolicy returns the header for serving pages. It allows the page its script
// and its style sheet, gives it an origin of its own and forbids other pages to frame it.
func ContentSecurityPolicy() string {
	return assets().policy + "; frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox"
}
