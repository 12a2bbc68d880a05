// Package view shows a datachain to people as one self-contained HTML page, in the
// language of the reader, for phones, desktops, paper and screen readers.
//
//	verdict, presentation, err := service.Present(ctx, document)
//	…
//	if !verdict.OK() {
//		return verdict.Errors() // the presentation is nil
//	}
//	summary, err := view.Write(w, presentation, &view.Options{Locale: "fr"})
//
// # Security
//
// Nothing in a document runs or loads anything. All text is escaped, characters that
// reorder the text around them are removed, and links are limited to http, https, mailto
// and tel URLs. The page has a Content-Security-Policy that allows its style sheet and its
// script by their hashes; a server should send [ContentSecurityPolicy] as a header as well.
//
// # MCP Apps
//
// In a host that supports MCP Apps (2026-01-26), the script of the page connects to the
// host, follows its theme, reports its size and shows the result of a tool call when it
// arrives. [Placeholder] is the page before the call, and a result carries a [Fragment]
// under [FragmentKey] in its _meta, as package mcpapp does. Outside a host the script only opens collapsed details
// for printing.
//
// # Experimental
//
// This package may change in a minor version.
package view

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
)

// Options configures a page. A nil *Options is the defaults.
type Options struct {
	// Locale is the requested language, such as fr or pt-BR. If the datachain is not
	// written in it, the page is in the nearest of its languages, or else in the first.
	Locale string
	// Languages adds the page in the other languages of the datachain to the same file, and
	// links between them, which work without a script. If that would be too large, there is one.
	Languages bool
	// MaxBytes limits the size of the page; 0 means [DefaultMaxBytes], and a negative
	// number no limit.
	MaxBytes int
	// Interrupt is asked between steps; its error stops the work. Nil means never.
	Interrupt func() error
	// Inert omits the script, for frames in which none may run. Nothing visible
	// depends on it.
	Inert bool
	// Roles are those of the taxonomy if it has none itself.
	Roles *summary.Roles
	// Report is where readers report errors: an email address or an https URL. The
	// default is the email address of those who answer for the system.
	Report string
	// Unfinished marks what is not said yet: the title, required categories without placements, and
	// required contexts and variables without a value. It is for [datachain.Service.Preview].
	Unfinished bool
	// Site is what a site adds to the document; nil means nothing.
	Site *Site
	// Page is where the page is published if it is part of a site that prints its address
	// itself. Letters of readers name it, or else Address.
	Page string
	// Address is where the page is published, and Code a drawing of it for cameras,
	// which is written as it is. They are shown on paper.
	Address string
	Code    template.HTML
}

// Site is what a site adds to a document that it shows by [Fragment]. Its HTML is written as
// it is.
type Site struct {
	// Above comes before the title: the way back, notices and the status.
	Above template.HTML
	// Facts are more facts, as div elements with dt and dd. History follows the date of
	// the document.
	Facts, History template.HTML
	// Answered is what happened when people asked, or nil, and Contact how to reach the site where the
	// document does not say how to reach anybody.
	Answered *phrases.Answered
	Contact  Contact
	// Links are what else a reader can do, as li elements.
	Links template.HTML
	// Technical is added to the technical details.
	Technical template.HTML
}

// DefaultMaxBytes is the default limit of a page. A page of 40 elements has about 200,000
// bytes.
const DefaultMaxBytes = 16 << 20

// Summary describes a page.
type Summary struct {
	// Locale is the language of the page.
	Locale string
	// Sections is the number of categories, Elements the number of placements.
	Sections, Elements int
}

// FragmentKey is the key of a [Fragment] in the _meta of a tool result.
const FragmentKey = "io.github.datachain-go/fragment"

// awaitingTitle is the title of a [Placeholder].
const awaitingTitle = "datachain (awaiting tool call)"

// ErrTooLarge is returned if a page would exceed its limit. A small document can have a
// huge page, because it can repeat a long text many times.
var ErrTooLarge = errors.New("the page would be too large")

// errNothing is returned if there is no presentation, as for an invalid document.
var errNothing = errors.New("view: there is nothing to show")

// Write writes a datachain as a page. On error it writes nothing.
func Write(w io.Writer, p *datachain.Presentation, o *Options) (Summary, error) {
	return write(w, p, o, (*page).writeAll)
}

// Append is [Write] for a buffer: it appends the page to dst. On error it returns dst
// unchanged.
func Append(dst []byte, p *datachain.Presentation, o *Options) ([]byte, Summary, error) {
	return appendTo(dst, p, o, (*page).writeAll)
}

// Fragment writes the main element of a page, without a head. A waiting page in a host
// shows it in place of its own.
func Fragment(w io.Writer, p *datachain.Presentation, o *Options) (Summary, error) {
	return write(w, p, o, (*page).writeMains)
}

// Placeholder writes an empty page. In a host it waits for the result of a tool call.
func Placeholder(w io.Writer) error {
	a := assets()
	_, err := w.Write(placeholder(&a))
	return err
}

// buffers are reused, because most of the memory that a page takes is its text.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxKept is the size of the largest buffer that is reused.
const maxKept = 1 << 20

func write(w io.Writer, p *datachain.Presentation, o *Options, parts func(*page, *markup)) (Summary, error) {
	buffer, _ := buffers.Get().(*[]byte) // of nothing else
	defer buffers.Put(buffer)
	html, summary, err := appendTo((*buffer)[:0], p, o, parts)
	if err == nil {
		_, err = w.Write(html)
	}
	if cap(html) <= maxKept {
		*buffer = html
	}
	return summary, err
}

// placementBytes and summaryBytes are the approximate sizes of a placement and of the summary.
const (
	placementBytes = 3600
	summaryBytes   = 12 << 10
)

func appendTo(dst []byte, p *datachain.Presentation, o *Options, parts func(*page, *markup)) ([]byte, Summary, error) {
	if p == nil || p.Datachain == nil {
		return dst, Summary{}, errNothing
	}
	if o == nil {
		o = new(Options)
	}
	limit := cmp.Or(o.MaxBytes, DefaultMaxBytes)
	if limit < 0 {
		limit = math.MaxInt - len(dst)
	}
	if o.Interrupt == nil {
		never := *o
		never.Interrupt = func() error { return nil }
		o = &never
	}
	pg := newPage(p, o, limit, nil)
	pg.languages = []*page{pg}
	if o.Languages {
		pg.addLanguages()
	}
	if o.Inert {
		pg.Script = ""
	}
	if o.Site != nil {
		pg.site = *o.Site
	}
	room := min(limit, len(pg.Head)+len(pg.Script)+len(pg.languages)*(summaryBytes+len(pg.placements)*placementBytes))
	m := &markup{bytes: slices.Grow(dst, room), limit: len(dst) + limit, interrupt: o.Interrupt, messages: pg.messages}
	parts(pg, m)
	full := m.full()
	if m.stopped != nil {
		return dst, Summary{}, m.stopped
	}
	if full && len(pg.languages) > 1 {
		one := *o
		one.Languages = false
		return appendTo(dst, p, &one, parts)
	}
	if full {
		return dst, Summary{}, fmt.Errorf("view: %w: more than %d bytes", ErrTooLarge, limit)
	}
	return m.bytes, Summary{Locale: pg.Lang, Sections: len(pg.Sections), Elements: len(pg.placements)}, nil
}

// maxLanguages is the maximum number of languages of one file.
const maxLanguages = 12

// addLanguages prepares the page in the other languages of the datachain.
func (pg *page) addLanguages() {
	for _, locale := range pg.show.Locales() {
		if locale == pg.Lang || len(pg.languages) == maxLanguages || pg.options.Interrupt() != nil {
			continue
		}
		o := *pg.options
		o.Locale = locale
		pg.languages = append(pg.languages, newPage(pg.show, &o, pg.limit, pg))
	}
	for _, other := range pg.languages[1:] {
		other.languages = pg.languages
	}
}

// messages are the fixed texts of a page in one language, by their keys in words.csv. They are
// written unescaped, so they must not contain HTML.
type messages struct {
	*wordtable.Words
	// UI is the lang and dir attributes of fixed texts in another language than the
	// page, or "".
	UI string
}

// allMessages has the messages of each language, and last those in English for pages in other
// languages.
var allMessages = sync.OnceValue(func() []*messages {
	var list []*messages
	for _, lang := range dictionary().Languages {
		list = append(list, &messages{Words: dictionary().In(lang)})
	}
	return append(list, &messages{Words: list[0].Words, UI: ` lang="en" dir="ltr"`})
})

// messagesFor returns the messages of a locale.
func messagesFor(locale string) *messages {
	list := allMessages()
	for _, e := range list {
		if i18n.Same(e.Lang, locale) {
			return e
		}
	}
	return list[len(list)-1]
}

//go:embed page.css
var documentCSS string

// pageCSS is the style sheet of a page.
var pageCSS = style.CSS + documentCSS

// Style returns the style sheet of a [Fragment], for sites that have that of package style.
func Style() string { return documentCSS }

// The script of a page: what helps readers, and what hosts of MCP Apps need.
var (
	//go:embed page.js
	readerJS string
	//go:embed host.js
	hostJS string

	pageJS = readerJS + hostJS
)

// Script returns the script of a [Fragment], for sites. Everything works without it.
func Script() string { return readerJS }

// asset is the constant parts of every page.
type asset struct {
	policy       string
	head, script template.HTML // for the head and for the end of the body
}

// assets are made once. They contain nothing of a document.
var assets = sync.OnceValue(func() asset {
	policy := "default-src 'none'; script-src " + hash(pageJS) + "; style-src " + hash(pageCSS) + "; form-action 'none'; base-uri 'none'"
	return asset{
		policy: policy, head: head(policy),
		script: template.HTML("<script>" + pageJS + "</script>"), //nolint:gosec // our own
	}
})

// head returns the constant part of the head. The policy comes first, because it applies to
// what follows it.
func head(policy string) template.HTML {
	return template.HTML(`<meta http-equiv="Content-Security-Policy" content="` + template.HTMLEscapeString(policy) + `">` + //nolint:gosec // our own
		"\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">" +
		"\n<meta name=\"color-scheme\" content=\"light dark\">" +
		"\n<meta name=\"referrer\" content=\"no-referrer\">" +
		"\n<style>" + pageCSS + "</style>")
}

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
