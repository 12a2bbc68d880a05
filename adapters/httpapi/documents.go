package httpapi

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/adapters/internal/httpcache"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/export"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// The register of documents. Its routes exist only if there is one.
const documentsPath = prefix + "/documents"

// Lists and documents change when they are published again; an edition can only be erased.
const (
	documentCaching = "public, max-age=60"
	editionCaching  = "public, max-age=3600"
)

// listParams are the parameters of the list of documents.
var listParams = func() []string {
	names := []string{"query", "sort", "locale", "facets", "limit", "cursor"}
	for _, f := range register.Fields() {
		names = append(names, string(f))
	}
	return names
}()

func (a *api) getDocuments(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, res.route)
	if err != nil {
		return err
	}
	state := a.register.State()
	return a.respond(ctx, res, r, reading{id: state.Tag(), state: state, params: p}, (*api).createDocumentList)
}

func (a *api) createDocumentList(_ context.Context, _ *response, q *reading) (*httpcache.Answer, error) {
	values := make(url.Values)
	for i, value := range q.params.values {
		values.Set(q.params.names[i], value)
	}
	query, err := register.ParseQuery(values)
	if err != nil {
		return nil, err
	}
	limit, err := q.params.limit()
	if err != nil {
		return nil, err
	}
	facets, err := q.params.boolean("facets")
	if err != nil {
		return nil, err
	}
	list, err := q.state.Find(query)
	if err != nil {
		return nil, err
	}
	page, next, err := list.Page(cmp.Or(limit, lists.DefaultPage), q.params.get("cursor"))
	if err != nil {
		return nil, err
	}
	written := export.NewList(q.state, list, a.documentBase(q.state))
	body := []byte(`{"ok":true,"documents":[`)
	for i, d := range page {
		if i > 0 {
			body = append(body, ',')
		}
		if body, err = written.AppendJSON(body, d); err != nil {
			return nil, err
		}
	}
	tail := struct {
		Facets []register.Facet `json:"facets,omitzero"`
		Meta   struct {
			Total      int     `json:"total"`
			Returned   int     `json:"returned"`
			DidYouMean string  `json:"did_you_mean,omitempty"`
			NextCursor *string `json:"next_cursor"`
			Locale     string  `json:"locale"`
		} `json:"meta"`
	}{}
	if facets {
		tail.Facets = slices.Concat([]register.Facet{}, list.Facets())
	}
	tail.Meta.Total, tail.Meta.Returned, tail.Meta.Locale = list.Len(), len(page), list.Query.Locale
	tail.Meta.DidYouMean = list.DidYouMean
	if next != "" {
		tail.Meta.NextCursor = &next
	}
	text, err := json.Marshal(tail)
	if err != nil {
		return nil, err
	}
	return httpcache.NewAnswer(typeJSON, documentCaching, append(append(body, "],"...), text[1:]...)), nil
}

// documentBase is where the pages of documents are: the URL of the service, or else that
// of the register.
func (a *api) documentBase(state *register.State) string {
	if strings.Contains(a.BaseURL, "://") || state.Settings().URL == "" {
		return a.BaseURL
	}
	return state.Settings().URL
}

// maxCompared is how many slugs an unknown one is compared with: a wrong address must not
// cost much.
const maxCompared = 1000

// findDocument returns the document of a request, which may be withdrawn or erased.
func (a *api) findDocument(state *register.State, slug string) (*register.Document, error) {
	d, ok := state.Document(slug)
	if ok {
		return d, nil
	}
	hint := "see " + a.base + documentsPath + " for the documents"
	slugs := make([]string, 0, maxCompared)
	for _, d := range state.Documents()[:min(len(state.Documents()), maxCompared)] {
		slugs = append(slugs, d.Slug)
	}
	near := similar.AllNearest(slug, slices.Values(slugs), 3)
	if len(near) > 0 {
		hint = "use " + wording.Or(near)
	}
	return nil, problem(issue.CodeNotFound, hint, "There is no document %s.", wording.Clip(slug))
}

// getDocument answers with the text of a document: the current edition, or the one that
// is asked for.
func (a *api) getDocument(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, res.route)
	if err != nil {
		return err
	}
	form := register.TextKind(p.get("form"))
	if form != "" && form != register.Thin && form != register.Resolved {
		return problem(issue.CodeBadRequest, "use thin or resolved", "The parameter form must be thin or resolved.")
	}
	digits := strings.TrimPrefix(p.get("edition"), "sha256-")
	if digits != "" && (len(digits) < 12 || len(digits) > 64 || strings.Trim(digits, "0123456789abcdef") != "") {
		return problem(issue.CodeBadRequest, "use the hash of an edition from its history, or the first 12 digits of it",
			"The edition %s is malformed.", wording.Quote(p.get("edition")))
	}
	state := a.register.State()
	d, err := a.findDocument(state, res.name)
	if err != nil {
		return err
	}
	edition, ok := d.Edition(d.Current)
	switch {
	case digits != "":
		if edition, ok = d.FindEdition(digits); !ok {
			return problem(issue.CodeNotFound, "see "+a.base+documentsPath+"/"+d.Slug+"/history for the editions", "The document %s has no edition %s.", d.Slug, digits)
		}
	case d.Withdrawn != nil:
		return a.gone(d.Slug, "withdrawn", d.Withdrawn.Reason)
	case !ok:
		return a.gone(d.Slug, "withdrawn", "")
	}
	if edition.Erased != nil {
		return a.gone(d.Slug, "erased", edition.Erased.Reason)
	}
	q := reading{id: d.Slug + " " + edition.Short(), params: p, document: d, edition: edition}
	return a.respond(ctx, res, r, q, (*api).createDocument)
}

func (a *api) gone(slug, how, reason string) error {
	message := "The document " + slug + " was " + how + "."
	if reason != "" {
		message = "The document " + slug + " was " + how + ": " + wording.Cut(strings.TrimSuffix(reason, "."), 300) + "."
	}
	return problem(codes.Gone, "see "+a.base+documentsPath+"/"+slug+"/history for its editions", "%s", message)
}

func (a *api) createDocument(ctx context.Context, _ *response, q *reading) (*httpcache.Answer, error) {
	form := cmp.Or(register.TextKind(q.params.get("form")), register.Thin)
	text, err := a.register.Text(ctx, q.document, q.edition.Hash, form)
	if errors.Is(err, taxonomy.ErrNotFound) { // it was erased meanwhile
		return nil, a.gone(q.document.Slug, "withdrawn", "")
	}
	if err != nil {
		return nil, err
	}
	caching := documentCaching
	if q.params.get("edition") != "" {
		caching = editionCaching
	}
	location := a.base + documentsPath + "/" + q.document.Slug + "?form=" + string(form) + "&edition=sha256-" + hex.EncodeToString(q.edition.Hash[:])
	return httpcache.NewAnswer(typeJSON, caching, text).With("Content-Location", location), nil
}

// getDocumentHistory answers with the editions of a document, also of one that is withdrawn or erased.
func (a *api) getDocumentHistory(ctx context.Context, res *response, r *http.Request) error {
	state := a.register.State()
	d, err := a.findDocument(state, res.name)
	if err != nil {
		return err
	}
	return a.respond(ctx, res, r, reading{id: state.Tag() + d.Slug, document: d}, (*api).createDocumentHistory)
}

func (a *api) createDocumentHistory(_ context.Context, _ *response, q *reading) (*httpcache.Answer, error) {
	type edition struct {
		Edition string            `json:"edition"`
		Time    string            `json:"time"`
		Erased  *register.Erasure `json:"erased,omitempty"`
	}
	d := q.document
	body := struct {
		OK        bool                 `json:"ok"`
		Slug      string               `json:"slug"`
		Slugs     []string             `json:"slugs"`
		ID        string               `json:"id"`
		Current   string               `json:"current"`
		Withdrawn *register.Withdrawal `json:"withdrawn,omitempty"`
		Editions  []edition            `json:"editions"`
	}{OK: true, Slug: d.Slug, Slugs: d.Slugs, ID: d.ID, Current: d.Current.String(), Withdrawn: d.Withdrawn}
	for _, e := range d.Editions {
		body.Editions = append(body.Editions, edition{e.Hash.String(), e.Time.UTC().Format("2006-01-02T15:04:05.000Z"), e.Erased})
	}
	text, err := json.Marshal(body)
	return httpcache.NewAnswer(typeJSON, documentCaching, text), err
}

// getDocumentChanges answers with what has changed since a sequence, for mirrors.
func (a *api) getDocumentChanges(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, res.route)
	if err != nil {
		return err
	}
	if since := p.get("since"); since != "" {
		if _, err := strconv.ParseUint(since, 10, 63); err != nil {
			return problem(issue.CodeBadRequest, "use next of the answer before, or omit it", "The sequence must be an integer from 0, not %s.", wording.Quote(since))
		}
	}
	state := a.register.State()
	return a.respond(ctx, res, r, reading{id: strconv.FormatInt(state.Sequence(), 10) + state.Tag(), state: state, params: p}, (*api).createDocumentChanges)
}

func (a *api) createDocumentChanges(_ context.Context, _ *response, q *reading) (*httpcache.Answer, error) {
	since := int64(-1) // which is not known
	if text := q.params.get("since"); text != "" {
		since, _ = strconv.ParseInt(text, 10, 64) // as checked
	}
	changes, reset := q.state.Changes(since)
	body, err := json.Marshal(struct {
		OK      bool             `json:"ok"`
		Changes []register.Event `json:"changes"`
		Next    int64            `json:"next"`
		Reset   bool             `json:"reset,omitzero"`
	}{true, changes, q.state.Sequence(), reset})
	return httpcache.NewAnswer(typeJSON, "no-cache", body), err
}
