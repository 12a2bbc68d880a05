package core

import (
	"html/template"
	"io"
	"net/url"
	"time"

	"github.com/datachain-go/datachain/pages/phrases"
)

// Badge is a short remark.
type Badge struct{ Class, Name string }

// LinkedData is what machines read on a page, in the vocabulary of schema.org. The keys
// are sorted when it is written.
type LinkedData map[string]any

// Content is what a page shows.
type Content struct {
	// Title is plain text, and Description is what search engines show.
	Title, Description string
	// Path is the canonical path of the page, with the id of a version instead of an
	// alias, and State its query parameters without lang.
	Path  string
	State url.Values
	// Sign is the edition of the sign that led to the page, or "". The language switch
	// keeps it; the canonical address does not have it.
	Sign string
	// JSON is the path below the API of what the page shows, which a static site requests
	// there, too; or "".
	JSON string
	// Section is the pattern of the page that is marked in the navigation.
	Section string
	// Template has the template main of the page, and Dot returns the dot of templates for its
	// scope, which is the scope itself if Dot is nil. Data is below it.
	Template *Templates
	Dot      func(*Scope) any
	Data     any
	// Part is the name of a template that is sent instead of the whole page.
	Part string
	// Missing are the languages in which the page lacks texts of its own.
	Missing []string
	// Unlisted keeps the page out of search engines.
	Unlisted bool
	// Styles and Scripts are those of the page, besides what all pages have.
	Styles, Scripts []string
	// Policy is the Content-Security-Policy, if it is not the usual one.
	Policy string
	// Linked is what machines read on the page.
	Linked LinkedData
	// Body is sent instead of a page, with its media Type, or what Write writes, which can
	// be large.
	Body  []byte
	Write func(io.Writer) error
	Type  string
	// Caching is the Cache-Control, if it is not the usual one, and Expires when the page
	// must be made again; zero is never.
	Caching string
	Expires time.Time
	// Status is the status code; 0 means 200. Unlocalized means that this answer is the same in all
	// languages, even if the page is not.
	Status      int
	Unlocalized bool
	// Feeds are other forms of the page, with their media types.
	Feeds []Choice
	// Article is the main element, if it is not that of the template. The page needs no
	// scripts then.
	Article template.HTML
}

// Hidden is a hidden field of a form.
type Hidden struct{ Name, Value string }

// Choice is one of several versions or languages.
type Choice struct {
	Name, Note string
	URL        string
	Lang       string // the language of the name
	Current    bool
}

// Named is something of a taxonomy to choose from, such as a category.
type Named struct {
	Name      phrases.Text
	Note, URL string
	Current   bool
}

// ToolStyles is the style sheet of the pages about documents and versions as a whole.
var ToolStyles = []string{"tools.css"}
