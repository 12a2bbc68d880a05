package core

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/httpcache"
)

// maxQueryText is how much of a query is searched for, and repeated in links.
const maxQueryText = 200

// QueryText returns the text that is searched for.
func QueryText(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	for utf8.RuneCountInString(text) > maxQueryText {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// Page is a kind of page, or of file.
type Page struct {
	// Pattern is its path, with the wildcards {version}, {id} and {edition}. Something such as .json
	// can follow {id} at its end.
	Pattern string
	// Params are the query parameters that it depends on, besides lang and part.
	Params []string
	// Parts are the templates that can be asked for with part, instead of the whole page.
	Parts []string
	// Heavy means that the page takes long to make, so it waits for a place as documents do.
	Heavy bool
	// Build makes the content of the page.
	Build func(*Request) (*Content, error)
	// Languages returns those in which the page can be shown. Nil, or none, means those of the version
	// in its path, of the register if the page needs one, or of everything that is published.
	Languages func(*Request) ([]string, error)
	// Depends returns what the page depends on besides its address and what is published. Nil means
	// nothing.
	Depends func() string
	// File means that it has no layout. Its file in a static site keeps Extension, which ends its path.
	File      bool
	Extension string
	// Unlocalized means that the page is the same in all languages. Its file in a static site
	// lies beside the directories of languages.
	Unlocalized bool
	// Live means that the page needs a server, so it is not part of a static site.
	Live bool
	// Scripted means that a script answers the forms of the page in a static site, which
	// reads its state from the query: there is one file for all states.
	Scripted bool
	// Register means that the page exists only if there are documents.
	Register bool
	// Post answers a form, if the page has one that is sent. A form can be Times as large as its
	// document.
	Post  func(*Request, *Form) (*httpcache.Answer, error)
	Times int64
}

// maxQuery is the length of the longest query string that is read.
const maxQuery = 8 << 10

// parameters returns the parameters that a page depends on. Others are ignored.
func (p *Page) parameters(query string) url.Values {
	if query == "" || len(query) > maxQuery {
		return nil
	}
	all, _ := url.ParseQuery(query) // what is malformed is left out
	for name, values := range all {
		values = slices.DeleteFunc(values, func(v string) bool { return v == "" || name == "part" && !slices.Contains(p.Parts, v) })
		if name == BoardParam || name == LanguagesParam {
			values = []string{strings.Join(values, ",")} // a form sends one by one, or none
		}
		if len(values) == 0 || name != "part" && !slices.Contains(p.Params, name) {
			delete(all, name)
			continue
		}
		if name == "q" {
			values[0] = QueryText(values[0])
		}
		all[name] = values[:1]
	}
	return all
}
