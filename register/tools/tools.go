// Package tools serves a register of documents to language models: tools and resources for package
// mcp.
//
//	server, err := mcp.New(service, &mcp.Options{Tools: tools.New(register, baseURL), Resources: tools.Resources(register)})
//
// # Experimental
//
// Other packages of the product use this one. Its API may change in any version.
package tools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/changes"
	doclists "github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// server answers calls from a register.
type server struct {
	*register.Register
	baseURL string
}

// listed reports whether there are documents.
func (s *server) listed() bool { return len(s.State().Documents()) > 0 }

// documentFields are the fields of a document in a list that are returned by default.
var documentFields = []string{"slug", "title", "type", "status", "organisation", "changed_at", "url"}

// The arguments of the tools for documents.
var (
	argSlug = mcp.Argument{
		Name: "slug", Required: true, Kind: mcp.Text("the slug of a document", 1), Find: "list_documents finds it",
		Description: "The slug of a document, as list_documents returns it.",
	}
	argDocumentLocale = mcp.Argument{
		Name: "locale", Kind: mcp.Text("a language", 0), Example: `"fr"`,
		Description: "The language of the texts, and of the query. The default is the first language of the register.",
	}
	argEdition = mcp.Argument{
		Name: "edition", Kind: mcp.Text("the hash of an edition", 0), Find: "the field edition of list_documents has the current one",
		Description: "The hash of an earlier edition, or at least the first 12 digits of it. The default is the current one.",
	}
)

// New returns the tools for a register, in the order in which a model would use them. They are listed
// while it has documents. BaseURL is that of the server: an absolute URL, a path or "".
func New(r *register.Register, baseURL string) []mcp.Tool {
	s := &server{r, baseURL}
	return []mcp.Tool{
		{
			Name: "list_documents", Title: "Find published documents",
			Description: "Finds the documents that are published in the register of this server: datachains about real systems. Searches by words in titles, in the documents' own words, in organisations, places and element titles, and filters by fields; several filters must all match. Returns slug, title, type, status, organisation, changed_at and url unless fields asks for more, such as summary, which has what readers should know first. Retired systems are returned only with status retired. meta.next_cursor leads to the next page and is null on the last.",
			Takes: []mcp.Argument{
				{Name: "query", Kind: mcp.Text("words to search for", 0), Example: `"cameras at crossings"`, Description: "Words to search for, in the language that locale names. Documents must have all of them."},
				{Name: "type", Kind: mcp.Text("a datachain type", 0), Find: "list_schema_versions returns them", Description: "Only documents of this datachain type: the part before the @ in the id of a schema version."},
				{Name: "status", Kind: mcp.Choice("planned", "trial", "in_use", "paused", "retired"), Example: `"in_use"`, Description: "Only systems in this state."},
				{Name: "organisation", Kind: mcp.Text("an organisation", 0), Example: `"City of Lindenau"`, Description: "Only systems of this organisation: its id, or its name in any language."},
				{Name: "theme", Kind: mcp.Text("a theme", 0), Example: `"Traffic"`, Description: "Only documents with this theme, in any language."},
				{Name: "data", Kind: mcp.Text("a context value", 0), Find: "facets lists them", Description: "Only documents with this context value for the data, such as how identifying they are at most; .not_said for those that say nothing about data, .not_known for those whose taxonomy does not mark what says it."},
				{Name: "risk", Kind: mcp.Text("a context value", 0), Find: "facets lists them", Description: "Only documents with this context value for the risk, or .not_said or .not_known."},
				{Name: "decision", Kind: mcp.Text("the id of an element", 0), Find: "facets lists them", Description: "Only documents that say with this element who decides, or .not_said or .not_known."},
				{Name: "element", Kind: mcp.Text("the id of an element", 0), Find: "list_elements finds it", Description: "Only documents that place this element."},
				{Name: "place", Kind: mcp.Text("the name of a place", 0), Example: `"Mill Street"`, Description: "Only systems at this place, in any language."},
				{Name: "gap", Kind: mcp.Choice("no_contact", "no_safeguard", "review_overdue"), Example: `"no_contact"`, Description: "Only documents that say nothing about how to reach who answers for the system (no_contact) or what is done against its highest risk (no_safeguard), although their taxonomy marks it, or whose review is overdue."},
				{Name: "sort", Kind: mcp.Choice("relevance", "change", "title", "answered").Default(`"relevance"`), Example: `"title"`, Description: "The order: relevance (the best match first; without a query it is change), change (the newest edition first), title, or answered (who answers within the fewest days first)."},
				argDocumentLocale,
				{Name: "fields", Kind: mcp.FieldNames(), Example: `["slug","title","summary"]`, Description: "Which fields of a document to return, or \"all\": slug, title, description, url, type, schema_version, status, since, until, review_by, organisation, themes, places, summary, not_known, withheld, assessments, classes, filings, answered, languages, created_at, updated_at, published_at, changed_at, edition, editions. The id is always included."},
				{Name: "facets", Kind: mcp.Boolean().Default("false"), Example: "true", Description: "true also returns which values each filter can have, and how many documents have them."},
				{Name: "limit", Kind: mcp.Integer(lists.MaxPage).Default("20"), Example: "20", Description: "The most documents to return."},
				{Name: "cursor", Kind: mcp.Text("meta.next_cursor of the previous page", 0), Example: `"…"`, Description: "meta.next_cursor of the previous page, with the same query and filters. Omit it for the first page."},
			},
			Returns:  "documents; with facets also facets: a list of {field, values: a list of {value, title, count, type, the datachain type of a value of data, risk or decision}, not_said, not_known}: documents without a value because they say nothing, or because their taxonomy does not mark what says it. meta has total, returned and next_cursor; did_you_mean is the query with misspelt words replaced by those that were found instead.",
			ReadOnly: true, Quotes: true, Listed: s.listed, Call: s.listDocuments,
		},
		{
			Name: "get_document", Title: "Read a published document",
			Description: "Returns a document of the register: its entry with the summary, which has what readers should know first, and the datachain itself, as its author wrote it or resolved, with the part of the taxonomy that it uses.",
			Takes: []mcp.Argument{argSlug, argDocumentLocale, {
				Name: "form", Kind: mcp.Choice("thin", "resolved").Default(`"thin"`), Example: `"thin"`,
				Description: "thin: as its author wrote it. resolved: with the part of the taxonomy that it uses, which can be long.",
			}, argEdition},
			Returns:  "entry: what lists show of the document, with its summary; edition; document: the datachain.",
			Work:     true,
			ReadOnly: true, Quotes: true, Listed: s.listed, Call: s.getDocument,
		},
		{
			Name: "compare_documents", Title: "Compare published documents",
			Description: "Compares documents of the register. Two slugs compare two documents; one slug compares the current edition of a document with the one before it, or with another edition. Returns the entries with their summaries, and the changes in words: elements that were added and removed, and values that differ. Documents of different datachain types have no changes, only summaries.",
			Takes: []mcp.Argument{
				{Name: "slugs", Required: true, Kind: mcp.TextList("a list of one or two slugs", 1), Find: "list_documents finds them", Description: "One or two slugs of documents, as list_documents returns them."},
				{Name: "edition", Kind: argEdition.Kind, Find: argEdition.Find, Description: "With one slug: the hash of the edition to compare the current one with. The default is the one before it."},
				argDocumentLocale,
			},
			Returns:  "documents: a list of {entry, edition}; changes: a list of {kind, path, element_id, field, words}, from the first to the second.",
			Work:     true,
			ReadOnly: true, Quotes: true, Listed: s.listed, Call: s.compareDocuments,
		},
	}
}

// base is where the pages of documents are.
func (s *server) base(c *mcp.ToolCall, state *register.State) string {
	if strings.Contains(s.baseURL, "://") || state.Settings().URL == "" {
		return c.BaseURL
	}
	return state.Settings().URL
}

func (s *server) listDocuments(_ context.Context, c *mcp.ToolCall) (*mcp.Answer, error) {
	q := register.Query{Text: c.Text("query"), Sort: register.Sort(c.Text("sort")), Locale: c.Text("locale"), Values: make(map[register.Field][]string)}
	for _, f := range register.Fields() {
		if value := strings.TrimSpace(c.Text(string(f))); value != "" {
			q.Values[f] = []string{value}
		}
	}
	state := s.State()
	list, err := state.Find(q)
	if err != nil {
		return nil, err
	}
	const usual = 20
	page, next, err := list.Page(cmp.Or(c.Integer("limit"), usual), c.Text("cursor"))
	if err != nil {
		return nil, err
	}
	show, written := lists.Projection{Fields: documentFields}, doclists.New(state, list, s.base(c, state))
	if fields := c.List("fields"); fields != nil {
		show.Fields = fields
	} else if c.Text("fields") == lists.AllFields {
		show.Fields = nil
	}
	b := []byte(`{"documents":[`)
	for i, d := range page {
		if i > 0 {
			b = append(b, ',')
		}
		entry, err := written.AppendJSON(nil, d)
		if err != nil {
			return nil, err
		}
		b = show.Append(b, string(entry))
	}
	b = append(b, ']')
	if c.Boolean("facets") {
		facets, err := jsonv2.Marshal(slices.Concat([]register.Facet{}, list.Facets()))
		if err != nil {
			return nil, err
		}
		b = fmt.Appendf(b, `,"facets":%s`, facets)
	}
	return &mcp.Answer{
		Data:   json.RawMessage(append(b, '}')),
		Paging: &mcp.Paging{Total: list.Len(), Returned: len(page), NextCursor: next, DidYouMean: list.DidYouMean},
	}, nil
}

// chosen is an edition of a document.
type chosen struct {
	document *register.Document
	edition  *register.Edition
	entry    []byte
}

// refusal is the error for a call that can't be answered.
func refusal(code issue.Code, path issue.Path, hint, format string, args ...any) error {
	return &datachain.Error{Issue: issue.Issue{Code: code, Path: path, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

// quote quotes a name that a client sent; letters of all languages stay.
func quote(name string) string { return strconv.QuoteToGraphic(wording.Clip(name)) }

// choose returns the current edition of a document, or another one.
func (s *server) choose(c *mcp.ToolCall, state *register.State, path issue.Path, slug, digits string) (*chosen, error) {
	d, ok := state.Document(slug)
	if !ok {
		return nil, refusal(issue.CodeNotFound, path, "find it with list_documents", "There is no document %s.", quote(slug))
	}
	e, ok := d.Edition(d.Current)
	if digits = strings.TrimPrefix(digits, "sha256-"); digits != "" {
		if e, ok = d.FindEdition(digits); !ok {
			return nil, refusal(issue.CodeNotFound, issue.Root.Key("edition"), "omit it for the current edition", "The document %s has no edition %s.", d.Slug, quote(digits))
		}
	} else if d.Withdrawn != nil {
		return nil, refusal(codes.Gone, path, "tell the user that the document is no longer published", "The document %s was withdrawn: %s", d.Slug, wording.Cut(d.Withdrawn.Reason, 300))
	}
	if !ok || e.Erased != nil {
		return nil, refusal(codes.Gone, path, "tell the user that the document is no longer published", "The content of the document %s was erased.", d.Slug)
	}
	list, err := state.Find(register.Query{Locale: c.Text("locale")})
	if err != nil {
		return nil, err
	}
	entry, err := doclists.New(state, list, s.base(c, state)).AppendJSON(nil, d)
	return &chosen{d, e, entry}, err
}

func (s *server) getDocument(ctx context.Context, c *mcp.ToolCall) (*mcp.Answer, error) {
	found, err := s.choose(c, s.State(), issue.Root.Key("slug"), c.Text("slug"), c.Text("edition"))
	if err != nil {
		return nil, err
	}
	text, err := s.Text(ctx, found.document, found.edition.Hash, register.TextKind(cmp.Or(c.Text("form"), string(register.Thin))))
	if err != nil {
		return nil, unreadable(err)
	}
	var document bytes.Buffer
	if err := json.Compact(&document, text); err != nil {
		return nil, err
	}
	return &mcp.Answer{
		Data:    json.RawMessage(fmt.Appendf(nil, `{"entry":%s,"edition":"%s","document":%s}`, found.entry, found.edition.Hash, document.Bytes())),
		Version: found.document.Version.String(),
	}, nil
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

func (s *server) compareDocuments(ctx context.Context, c *mcp.ToolCall) (*mcp.Answer, error) {
	state, slugs := s.State(), c.List("slugs")
	if len(slugs) > 2 {
		return nil, refusal(codes.InvalidArguments, issue.Root.Key("slugs"), "use one or two slugs", "The argument slugs has %d items, but two documents can be compared.", len(slugs))
	}
	at := func(i int) issue.Path { return issue.Root.Key("slugs").Index(i) }
	var compared pair
	var err error
	if compared[1], err = s.choose(c, state, at(len(slugs)-1), slugs[len(slugs)-1], ""); err != nil {
		return nil, err
	}
	if len(slugs) == 2 {
		compared[0], err = s.choose(c, state, at(0), slugs[0], "")
	} else {
		edition := c.Text("edition")
		if edition == "" {
			i := slices.IndexFunc(compared[1].document.Editions, func(e register.Edition) bool {
				return e.Hash != compared[1].edition.Hash && e.Erased == nil
			})
			if i < 0 {
				return nil, refusal(issue.CodeNotFound, at(0), "add the slug of another document", "The document %s has no other edition.", compared[1].document.Slug)
			}
			edition = compared[1].document.Editions[i].Hash.String()
		}
		compared[0], err = s.choose(c, state, at(0), slugs[0], edition)
	}
	if err != nil {
		return nil, err
	}
	if compared[0].document.Version.Type() != compared[1].document.Version.Type() {
		return compared.answer([]change{}, issue.Issues{{
			Code: codes.InvalidArguments, Severity: issue.SeverityWarning, Path: at(1),
			Message: "The documents have different datachain types, so there are no changes.", FixHint: "compare the summaries of the entries",
		}})
	}
	changes, err := s.changes(ctx, compared, c.Text("locale"))
	if err != nil {
		return nil, err
	}
	return compared.answer(changes, nil)
}

// pair is two editions that are compared, from the first to the second.
type pair [2]*chosen

// answer returns the entries with the changes.
func (p pair) answer(changes []change, warnings issue.Issues) (*mcp.Answer, error) {
	b := []byte(`{"documents":[`)
	for i, c := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"entry":%s,"edition":"%s"}`, c.entry, c.edition.Hash)
	}
	list, err := jsonv2.Marshal(changes)
	if err != nil {
		return nil, err
	}
	return &mcp.Answer{Data: json.RawMessage(fmt.Appendf(b, `],"changes":%s}`, list)), Warnings: warnings}, nil
}

// change is a difference between two documents as a model reads it.
type change struct {
	Kind      changes.ChangeKind `json:"kind"`
	Path      string             `json:"path"`
	ElementID string             `json:"element_id,omitempty"`
	Field     string             `json:"field,omitempty"`
	Words     string             `json:"words"`
}

// changes compares two documents of a datachain type.
func (s *server) changes(ctx context.Context, compared pair, locale string) ([]change, error) {
	var shown [2]*datachain.Presentation
	for i, c := range compared {
		var err error
		if shown[i], err = s.Present(ctx, c.document, c.edition.Hash); err != nil {
			return nil, unreadable(err)
		}
	}
	list, err := changes.Compare(ctx, shown[0], shown[1])
	if err != nil {
		return nil, err
	}
	changes := []change{}
	for _, found := range list {
		one := change{Kind: found.Kind, Path: found.Path.String(), Field: found.Field, Words: found.Words(locale)}
		if found.Element != nil {
			one.ElementID = found.Element.ID
		}
		changes = append(changes, one)
	}
	return changes, nil
}
