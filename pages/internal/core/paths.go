package core

import (
	"net/url"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The paths of pages that others link to.
const (
	RegisterPath   = "/d"
	DocumentPrefix = RegisterPath + "/"
	RecentPath     = "/changes"
	LogoPath       = "/logo.svg" // of the publisher
	TaxonomiesPath = "/t"
	ComparePath    = "/compare"
	ComposePath    = "/compose"
	PlayPath       = "/play"
	CodesPath      = "/codes"
	DocsPath       = "/docs"
)

// FormatPath is the path of the register in a format, such as csv.
func FormatPath(format string) string { return RegisterPath + "." + format }

// Query parameters that others link with.
const (
	// BoardParam names the documents to compare: their slugs, separated by commas.
	BoardParam = "documents"
	// ChangeParam is the slug of a document to change in the form.
	ChangeParam = "document"
	// LanguagesParam names the languages of a sign, with commas between them.
	LanguagesParam = "languages"
)

// Patterns of the pages of a version.
const (
	CatalogPattern  = "/t/{version}"
	CategoryPattern = CatalogPattern + "/c/{id}"
	ElementPattern  = CatalogPattern + "/e/{id}"
	SchemePattern   = CatalogPattern + "/s/{id}"
)

// CatalogPath is the path of the page of a version.
func CatalogPath(v taxonomy.Version) string { return "/t/" + url.PathEscape(v.String()) }

// CategoryPath is the path of the page of a category.
func CategoryPath(v taxonomy.Version, id string) string { return partPath(v, "/c/", id) }

// ElementPath is the path of the page of an element.
func ElementPath(v taxonomy.Version, id string) string { return partPath(v, "/e/", id) }

// SchemePath is the path of the page of the mappings to a scheme.
func SchemePath(v taxonomy.Version, id string) string { return partPath(v, "/s/", id) }

func partPath(v taxonomy.Version, kind, id string) string {
	return CatalogPath(v) + kind + url.PathEscape(id)
}

// APIPath is the path of a version below that of the API.
func APIPath(v taxonomy.Version) string { return "/schemas/" + url.PathEscape(v.String()) }

// CodeURL returns the address of the page about a code, or "" if a custom rule reports it.
func (q *Request) CodeURL(c issue.Code) string {
	if _, known := issue.LookupCode(c); !known {
		return ""
	}
	return q.To(CodesPath+"/"+url.PathEscape(string(c)), nil)
}
