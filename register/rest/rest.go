// Package rest provides the routes of package httpapi about the documents of a register.
//
// # Experimental
//
// This package may change in a minor version.
package rest

import (
	"cmp"
	"context"
	_ "embed" // a description
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	doclists "github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

const documentsPath = "/api/v2/documents"

// Lists and documents change when they are published again; an edition can only be erased.
const (
	documentCaching = "public, max-age=60"
	editionCaching  = "public, max-age=3600"
)

//go:embed openapi.json
var part []byte

// Routes returns the routes of a register:
//
//	GET /api/v2/documents
//	GET /api/v2/documents/changes
//	GET /api/v2/documents/{slug}
//	GET /api/v2/documents/{slug}/history
func Routes(r *register.Register) []httpapi.Route {
	d := &documents{r}
	several := []string{"type", "status", "data", "risk", "decision", "element", "gap"}
	one := []string{"query", "sort", "locale", "limit", "cursor"}
	for _, f := range register.Fields() {
		if !slices.Contains(several, string(f)) {
			one = append(one, string(f))
		}
	}
	return []httpapi.Route{
		{Pattern: documentsPath, Params: one, Lists: several, Flags: []string{"facets"}, Storeless: true, Read: d.list, OpenAPI: part},
		{Pattern: documentsPath + "/changes", Params: []string{"since"}, Storeless: true, Read: d.changes, OpenAPI: part},
		{Pattern: documentsPath + "/{slug}", Params: []string{"form", "edition"}, Storeless: true, Read: d.document, OpenAPI: part},
		{Pattern: documentsPath + "/{slug}/history", Storeless: true, Read: d.history, OpenAPI: part},
	}
}

// documents answers for a register.
type documents struct{ register *register.Register }

func problem(code issue.Code, hint, format string, args ...any) error {
	return &datachain.Error{Issue: issue.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

func (d *documents) list(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
	state := d.register.State()
	today := time.Now().UTC().Format(time.DateOnly) // on which reviews are overdue
	return &httpapi.Resource{Tag: state.Tag() + today, Make: func(context.Context) (*httpapi.Body, error) { return list(state, r, today) }}, nil
}

func list(state *register.State, r *httpapi.Request, today string) (*httpapi.Body, error) {
	values := make(url.Values)
	for _, name := range []string{"query", "sort", "locale", "facets", "limit", "cursor"} {
		values.Set(name, r.Param(name))
	}
	for _, f := range register.Fields() {
		values.Set(string(f), r.Param(string(f)))
	}
	query, err := register.ParseQuery(values)
	if err != nil {
		return nil, err
	}
	limit, err := r.Limit()
	if err != nil {
		return nil, err
	}
	query.Day = today
	found, err := state.Find(query)
	if err != nil {
		return nil, err
	}
	page, next, err := found.Page(cmp.Or(limit, lists.DefaultPage), r.Param("cursor"))
	if err != nil {
		return nil, err
	}
	written := doclists.New(state, found, baseOf(state, r.BaseURL()))
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
	if r.Flag("facets") {
		tail.Facets = slices.Concat([]register.Facet{}, found.Facets())
	}
	tail.Meta.Total, tail.Meta.Returned, tail.Meta.Locale = found.Len(), len(page), found.Query.Locale
	tail.Meta.DidYouMean = found.DidYouMean
	if next != "" {
		tail.Meta.NextCursor = &next
	}
	text, err := json.Marshal(tail)
	if err != nil {
		return nil, err
	}
	return &httpapi.Body{CacheControl: documentCaching, Bytes: append(append(body, "],"...), text[1:]...)}, nil
}

// baseOf is where the pages of documents are: the URL of the service, or else that
// of the register.
func baseOf(state *register.State, base string) string {
	if strings.Contains(base, "://") || state.Settings().URL == "" {
		return base
	}
	return state.Settings().URL
}

// maxCompared is how many slugs an unknown one is compared with: a wrong address must not
// cost much.
const maxCompared = 1000

// find returns the document of a request, which may be withdrawn or erased.
func find(state *register.State, r *httpapi.Request) (*register.Document, error) {
	slug := r.PathValue("slug")
	d, ok := state.Document(slug)
	if ok {
		return d, nil
	}
	hint := "see " + r.URL(documentsPath) + " for the documents"
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

// document answers with the text of a document: the current edition, or the one that
// is asked for.
func (d *documents) document(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
	form := register.TextKind(r.Param("form"))
	if form != "" && form != register.Thin && form != register.Resolved {
		return nil, problem(issue.CodeBadRequest, "use thin or resolved", "The parameter form must be thin or resolved.")
	}
	digits := strings.TrimPrefix(r.Param("edition"), "sha256-")
	if digits != "" && (len(digits) < 12 || len(digits) > 64 || strings.Trim(digits, "0123456789abcdef") != "") {
		return nil, problem(issue.CodeBadRequest, "use the hash of an edition from its history, or the first 12 digits of it",
			"The edition %s is malformed.", wording.Quote(r.Param("edition")))
	}
	state := d.register.State()
	doc, err := find(state, r)
	if err != nil {
		return nil, err
	}
	edition, ok := doc.Edition(doc.Current)
	switch {
	case digits != "":
		if edition, ok = doc.FindEdition(digits); !ok {
			return nil, problem(issue.CodeNotFound, "see "+r.URL(documentsPath+"/"+doc.Slug+"/history")+" for the editions", "The document %s has no edition %s.", doc.Slug, digits)
		}
	case doc.Withdrawn != nil:
		return nil, gone(r, doc.Slug, "withdrawn", doc.Withdrawn.Reason)
	case !ok:
		return nil, gone(r, doc.Slug, "withdrawn", "")
	}
	if edition.Erased != nil {
		return nil, gone(r, doc.Slug, "erased", edition.Erased.Reason)
	}
	return &httpapi.Resource{Tag: doc.Slug + " " + edition.Short(), Make: func(ctx context.Context) (*httpapi.Body, error) {
		return d.text(ctx, r, doc, edition, cmp.Or(form, register.Thin))
	}}, nil
}

func gone(r *httpapi.Request, slug, how, reason string) error {
	message := "The document " + slug + " was " + how + "."
	if reason != "" {
		message = "The document " + slug + " was " + how + ": " + wording.Cut(strings.TrimSuffix(reason, "."), 300) + "."
	}
	return problem(codes.Gone, "see "+r.URL(documentsPath+"/"+slug+"/history")+" for its editions", "%s", message)
}

func (d *documents) text(ctx context.Context, r *httpapi.Request, doc *register.Document, edition *register.Edition, form register.TextKind) (*httpapi.Body, error) {
	text, err := d.register.Text(ctx, doc, edition.Hash, form)
	if errors.Is(err, taxonomy.ErrNotFound) { // it was erased meanwhile
		return nil, gone(r, doc.Slug, "withdrawn", "")
	}
	if err != nil {
		return nil, err
	}
	caching := documentCaching
	if r.Param("edition") != "" {
		caching = editionCaching
	}
	location := r.URL(documentsPath + "/" + doc.Slug + "?form=" + string(form) + "&edition=sha256-" + hex.EncodeToString(edition.Hash[:]))
	return &httpapi.Body{CacheControl: caching, Header: http.Header{"Content-Location": {location}}, Bytes: text}, nil
}

// history answers with the editions of a document, also of one that is withdrawn or erased.
func (d *documents) history(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
	state := d.register.State()
	doc, err := find(state, r)
	if err != nil {
		return nil, err
	}
	return &httpapi.Resource{Tag: state.Tag(), Make: func(context.Context) (*httpapi.Body, error) { return history(doc) }}, nil
}

func history(d *register.Document) (*httpapi.Body, error) {
	type edition struct {
		Edition string            `json:"edition"`
		Time    string            `json:"time"`
		Erased  *register.Erasure `json:"erased,omitempty"`
	}
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
	return &httpapi.Body{CacheControl: documentCaching, Bytes: text}, err
}

// changes answers with what has changed since a sequence, for mirrors.
func (d *documents) changes(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
	since := int64(-1) // which is not known
	if text := r.Param("since"); text != "" {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			return nil, problem(issue.CodeBadRequest, "use next of the answer before, or omit it", "The sequence must be an integer from 0, not %s.", wording.Quote(text))
		}
		since = int64(n) //nolint:gosec // of 63 bits
	}
	state := d.register.State()
	return &httpapi.Resource{Tag: strconv.FormatInt(state.Sequence(), 10) + state.Tag(), Make: func(context.Context) (*httpapi.Body, error) {
		found, reset := state.Changes(since)
		body, err := json.Marshal(struct {
			OK      bool             `json:"ok"`
			Changes []register.Event `json:"changes"`
			Next    int64            `json:"next"`
			Reset   bool             `json:"reset,omitzero"`
		}{true, found, state.Sequence(), reset})
		return &httpapi.Body{CacheControl: "no-cache", Bytes: body}, err
	}}, nil
}
