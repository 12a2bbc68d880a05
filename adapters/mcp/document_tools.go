package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/export"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// The tools of the register of documents are listed only if it has documents.

// state returns what the register publishes, or nil if there is nothing.
func (s *Server) state() *register.State {
	if s.register == nil {
		return nil
	}
	if state := s.register.State(); len(state.Documents()) > 0 {
		return state
	}
	return nil
}

// documentFields are the fields of a document in a list that are returned by default.
var documentFields = []string{"slug", "title", "type", "status", "organisation", "changed_at", "url"}

// The arguments of the tools for documents.
var (
	argSlug = argument{
		name: "slug", required: true, kind: text("the slug of a document", 1), find: "list_documents finds it",
		description: "The slug of a document, as list_documents returns it.",
	}
	argDocumentLocale = argument{
		name: "locale", kind: text("a language", 0), example: `"fr"`,
		description: "The language of the texts, and of the query. The default is the first language of the register.",
	}
	argEdition = argument{
		name: "edition", kind: text("the hash of an edition", 0), find: "the field edition of list_documents has the current one",
		description: "The hash of an earlier edition, or at least the first 12 digits of it. The default is the current one.",
	}
)

// documentTools are the tools for documents, in the order in which a model would use them.
var documentTools = []tool{
	{
		name: "list_documents", title: "Find published documents",
		description: "Finds the documents that are published in the register of this server: datachains about real systems. Searches by words in titles, in the documents' own words, in organisations, places and element titles, and filters by fields; several filters must all match. Returns slug, title, type, status, organisation, changed_at and url unless fields asks for more, such as summary, which has what readers should know first. Retired systems are returned only with status retired. meta.next_cursor leads to the next page and is null on the last.",
		arguments: []argument{
			{name: "query", kind: text("words to search for", 0), example: `"cameras at crossings"`, description: "Words to search for, in the language that locale names."},
			{name: "type", kind: text("a datachain type", 0), find: "list_schema_versions returns them", description: "Only documents of this datachain type: the part before the @ in the id of a schema version."},
			{name: "status", kind: choice("planned", "trial", "in_use", "paused", "retired"), example: `"in_use"`, description: "Only systems in this state."},
			{name: "organisation", kind: text("an organisation", 0), example: `"City of Lindenau"`, description: "Only systems of this organisation: its id, or its name in any language."},
			{name: "theme", kind: text("a theme", 0), example: `"Traffic"`, description: "Only documents with this theme, in any language."},
			{name: "data", kind: text("a context value", 0), find: "facets lists them", description: "Only documents whose summary has this context value for the data, such as how identifying they are at most."},
			{name: "risk", kind: text("a context value", 0), find: "facets lists them", description: "Only documents whose summary has this context value for the risk."},
			{name: "element", kind: text("the id of an element", 0), find: "list_elements finds it", description: "Only documents that place this element."},
			{name: "place", kind: text("the name of a place", 0), example: `"Mill Street"`, description: "Only systems at this place, in any language."},
			{name: "sort", kind: choice("relevance", "change", "title").byDefault(`"relevance"`), example: `"title"`, description: "The order: relevance (the best match first; without a query it is change), change (the newest edition first) or title."},
			argDocumentLocale,
			{name: "fields", kind: fieldNames(), example: `["slug","title","summary"]`, description: "Which fields of a document to return, or \"all\": slug, title, description, url, type, schema_version, status, since, until, review_by, organisation, themes, places, summary, withheld, languages, created_at, updated_at, published_at, changed_at, edition, editions. The id is always included."},
			{name: "facets", kind: boolean().byDefault("false"), example: "true", description: "true also returns which values each filter can have, and how many documents have them."},
			{name: "limit", kind: number(lists.MaxPage).byDefault("20"), example: "20", description: "The most documents to return."},
			{name: "cursor", kind: text("meta.next_cursor of the previous page", 0), example: `"…"`, description: "meta.next_cursor of the previous page, with the same query and filters. Omit it for the first page."},
		},
		data: "documents; with facets also facets: a list of {field, values: a list of {value, title, count}}. meta has total, returned and next_cursor; did_you_mean is the query with misspelt words replaced by those that were found instead.",
		run:  (*Server).listDocuments,
	},
	{
		name: "get_document", title: "Read a published document",
		description: "Returns a document of the register: its entry with the summary, which has what readers should know first, and the datachain itself, as its author wrote it or resolved, with the part of the taxonomy that it uses.",
		arguments: []argument{argSlug, argDocumentLocale, {
			name: "form", kind: choice("thin", "resolved").byDefault(`"thin"`), example: `"thin"`,
			description: "thin: as its author wrote it. resolved: with the part of the taxonomy that it uses, which can be long.",
		}, argEdition},
		data: "entry: what lists show of the document, with its summary; edition; document: the datachain.",
		work: true,
		run:  (*Server).getDocument,
	},
	{
		name: "compare_documents", title: "Compare published documents",
		description: "Compares documents of the register. Two slugs compare two documents; one slug compares the current edition of a document with the one before it, or with another edition. Returns the entries with their summaries, and the changes in words: elements that were added and removed, and values that differ. Documents of different datachain types have no changes, only summaries.",
		arguments: []argument{
			{name: "slugs", required: true, kind: textList("a list of one or two slugs", 1), find: "list_documents finds them", description: "One or two slugs of documents, as list_documents returns them."},
			{name: "edition", kind: argEdition.kind, find: argEdition.find, description: "With one slug: the hash of the edition to compare the current one with. The default is the one before it."},
			argDocumentLocale,
		},
		data: "documents: a list of {entry, edition}; changes: a list of {kind, path, element_id, field, words}, from the first to the second.",
		work: true,
		run:  (*Server).compareDocuments,
	},
}

// tools returns the tools that the server has now.
func (s *Server) tools() []tool {
	if s.state() == nil {
		return s.callable
	}
	return s.documentCallable
}

// documentBase is where the pages of documents are.
func (s *Server) documentBase(c *caller, state *register.State) string {
	if strings.Contains(s.options.BaseURL, "://") || state.Settings().URL == "" {
		return c.base
	}
	return state.Settings().URL
}

func (s *Server) listDocuments(_ context.Context, c *call) error {
	q := register.Query{Text: c.text("query"), Sort: register.Sort(c.text("sort")), Locale: c.text("locale"), Values: make(map[register.Field][]string)}
	for _, f := range register.Fields() {
		if value := strings.TrimSpace(c.text(string(f))); value != "" {
			q.Values[f] = []string{value}
		}
	}
	state := s.register.State()
	list, err := state.Find(q)
	if err != nil {
		return err
	}
	const usual = 20
	page, next, err := list.Page(cmp.Or(c.number("limit"), usual), c.text("cursor"))
	if err != nil {
		return err
	}
	c.paged(list.Len(), len(page), next, list.DidYouMean)
	show, written := c.show(documentFields), export.NewList(state, list, s.documentBase(c.caller, state))
	b := []byte(`{"documents":[`)
	for i, d := range page {
		if i > 0 {
			b = append(b, ',')
		}
		entry, err := written.AppendJSON(nil, d)
		if err != nil {
			return err
		}
		b = show.Append(b, string(entry))
	}
	b = append(b, ']')
	if c.text("facets") == "true" {
		b = appendJSON(append(b, `,"facets":`...), slices.Concat([]register.Facet{}, list.Facets()))
	}
	b = append(b, '}')
	c.data, c.meta.Notice = b, notice
	return nil
}

// chosen is an edition of a document.
type chosen struct {
	document *register.Document
	edition  *register.Edition
	entry    []byte
}

// choose returns the current edition of a document, or another one.
func (s *Server) choose(c *call, state *register.State, path issue.Path, slug, digits string) (*chosen, error) {
	refuse := func(code issue.Code, path issue.Path, hint, message string) error {
		return &datachain.Error{Issue: issue.Issue{Code: code, Path: path, Message: message, FixHint: hint}}
	}
	d, ok := state.Document(slug)
	if !ok {
		return nil, refuse(issue.CodeNotFound, path, "find it with list_documents", "There is no document "+quote(slug)+".")
	}
	e, ok := d.Edition(d.Current)
	if digits = strings.TrimPrefix(digits, "sha256-"); digits != "" {
		if e, ok = d.FindEdition(digits); !ok {
			return nil, refuse(issue.CodeNotFound, issue.Root.Key("edition"), "omit it for the current edition", "The document "+d.Slug+" has no edition "+quote(digits)+".")
		}
	} else if d.Withdrawn != nil {
		return nil, refuse(codes.Gone, path, "tell the user that the document is no longer published", "The document "+d.Slug+" was withdrawn: "+wording.Cut(d.Withdrawn.Reason, 300))
	}
	if !ok || e.Erased != nil {
		return nil, refuse(codes.Gone, path, "tell the user that the document is no longer published", "The content of the document "+d.Slug+" was erased.")
	}
	list, err := state.Find(register.Query{Locale: c.text("locale")})
	if err != nil {
		return nil, err
	}
	entry, err := export.NewList(state, list, s.documentBase(c.caller, state)).AppendJSON(nil, d)
	return &chosen{d, e, entry}, err
}

func (s *Server) getDocument(ctx context.Context, c *call) error {
	state := s.register.State()
	found, err := s.choose(c, state, issue.Root.Key(argSlug.name), c.text(argSlug.name), c.text(argEdition.name))
	if err != nil {
		return err
	}
	text, err := s.register.Text(ctx, found.document, found.edition.Hash, register.TextKind(cmp.Or(c.text("form"), string(register.Thin))))
	if err != nil {
		return unreadable(err)
	}
	document := jsontext.Value(text)
	if err := document.Compact(); err != nil {
		return err
	}
	c.meta.Version, c.meta.Notice = found.document.Version.String(), notice
	c.data = fmt.Appendf(nil, `{"entry":%s,"edition":"%s","document":%s}`, found.entry, found.edition.Hash, document)
	return nil
}

// unreadable says that an edition can't be read now, unless time is over.
func unreadable(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, taxonomy.ErrNotFound) {
		return &datachain.Error{Issue: issue.Issue{Code: codes.Gone, Message: "The content of the document was erased.", FixHint: "tell the user that the document is no longer published"}, Err: err}
	}
	return &datachain.Error{Issue: issue.Issue{Code: issue.CodeUpstreamError, Message: "The document can't be read.", FixHint: "try again in a moment"}, Err: err}
}

func (s *Server) compareDocuments(ctx context.Context, c *call) error {
	state, slugs := s.register.State(), c.list("slugs")
	if len(slugs) > 2 {
		return &datachain.Error{Issue: badArgument(issue.Root.Key("slugs"), "use one or two slugs", "The argument slugs has %d items, but two documents can be compared.", len(slugs))}
	}
	at := func(i int) issue.Path { return issue.Root.Key("slugs").Index(i) }
	var pair [2]*chosen
	var err error
	if pair[1], err = s.choose(c, state, at(len(slugs)-1), slugs[len(slugs)-1], ""); err != nil {
		return err
	}
	if len(slugs) == 2 {
		pair[0], err = s.choose(c, state, at(0), slugs[0], "")
	} else {
		edition := c.text(argEdition.name)
		if edition == "" {
			i := slices.IndexFunc(pair[1].document.Editions, func(e register.Edition) bool {
				return e.Hash != pair[1].edition.Hash && e.Erased == nil
			})
			if i < 0 {
				return &datachain.Error{Issue: issue.Issue{
					Code: issue.CodeNotFound, Path: at(0), Message: "The document " + pair[1].document.Slug + " has no other edition.", FixHint: "add the slug of another document",
				}}
			}
			edition = pair[1].document.Editions[i].Hash.String()
		}
		pair[0], err = s.choose(c, state, at(0), slugs[0], edition)
	}
	if err != nil {
		return err
	}
	changes, err := s.changes(ctx, c, pair)
	if err != nil {
		return err
	}
	b := []byte(`{"documents":[`)
	for i, p := range pair {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"entry":%s,"edition":"%s"}`, p.entry, p.edition.Hash)
	}
	c.data, c.meta.Notice = append(appendJSON(append(b, `],"changes":`...), changes), '}'), notice
	return nil
}

// documentChange is a difference between two documents as a model reads it.
type documentChange struct {
	Kind      export.ChangeKind `json:"kind"`
	Path      string            `json:"path"`
	ElementID string            `json:"element_id,omitempty"`
	Field     string            `json:"field,omitempty"`
	Words     string            `json:"words"`
}

// changes compares two documents. There are none between different datachain types.
func (s *Server) changes(ctx context.Context, c *call, pair [2]*chosen) ([]documentChange, error) {
	changes := []documentChange{}
	if pair[0].document.Version.Type() != pair[1].document.Version.Type() {
		c.warn(issue.Root.Key("slugs").Index(1), "compare the summaries of the entries", "The documents have different datachain types, so there are no changes.")
		return changes, nil
	}
	var shown [2]*datachain.Presentation
	for i, p := range pair {
		var err error
		if shown[i], err = s.register.Present(ctx, p.document, p.edition.Hash); err != nil {
			return nil, unreadable(err)
		}
	}
	list, err := export.Compare(ctx, shown[0], shown[1])
	if err != nil {
		return nil, err
	}
	for _, found := range list {
		one := documentChange{Kind: found.Kind, Path: found.Path.String(), Field: found.Field, Words: found.Words(c.text("locale"))}
		if found.Element != nil {
			one.ElementID = found.Element.ID
		}
		changes = append(changes, one)
	}
	return changes, nil
}
