package tools

import (
	"cmp"
	"context"
	"encoding/base64"
	"sort"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// documentURI is the URI of a document as a resource, up to its slug.
const documentURI = "datachain://documents/"

// resourcePage is how many documents a page of the list of resources has.
const resourcePage = 500

// Resources returns the documents of a register as resources, as their authors wrote them.
func Resources(r *register.Register) *mcp.Resources {
	s := &server{Register: r}
	return &mcp.Resources{
		Name: "document", Title: "Document", Description: "A published document, as its author wrote it.", MIMEType: "application/json",
		Prefix: documentURI, Variable: "slug", Listed: s.listed, List: s.list, Read: s.read,
	}
}

// list returns a page of the documents, by slug. The cursor is the last slug of the page before.
func (s *server) list(_ context.Context, cursor string) (page []mcp.Resource, next string, err error) {
	state := s.State()
	all := state.Documents()
	after, err := base64.RawURLEncoding.DecodeString(cursor)
	first := sort.Search(len(all), func(i int) bool { return all[i].Slug > string(after) })
	if err != nil || len(after) > 0 && (first == 0 || all[first-1].Slug != string(after)) {
		return nil, "", refusal(issue.CodeBadRequest, nil, "omit the cursor, and start again", "The cursor of resources/list is not one that the server returned.")
	}
	found, err := state.Find(register.Query{})
	if err != nil {
		return nil, "", err
	}
	written := lists.New(state, found, "")
	end := min(len(all), first+resourcePage)
	for _, d := range all[first:end] {
		if !d.Removed() {
			page = append(page, mcp.Resource{
				URI: documentURI + d.Slug, Name: d.Slug, Title: cmp.Or(written.Text(d.Title), d.Slug), Description: wording.Cut(written.Text(d.Description), 300),
			})
		}
	}
	if end < len(all) {
		next = base64.RawURLEncoding.EncodeToString([]byte(all[end-1].Slug))
	}
	return page, next, nil
}

// read returns a document as its author wrote it.
func (s *server) read(ctx context.Context, uri string) ([]byte, error) {
	slug := strings.TrimPrefix(uri, documentURI)
	d, ok := s.State().Document(slug)
	if !ok {
		return nil, refusal(issue.CodeNotFound, nil, "list them with resources/list", "There is no document %s.", strconv.QuoteToASCII(wording.Cut(slug, 80)))
	}
	if d.Removed() {
		return nil, refusal(codes.Gone, nil, "remove your link to it", "The document %s was withdrawn or erased.", d.Slug)
	}
	text, err := s.Text(ctx, d, d.Current, register.Thin)
	if err != nil {
		return nil, unreadable(err)
	}
	return text, nil
}
