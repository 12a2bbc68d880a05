package lsp

import (
	"context"
	"net/url"

	"github.com/datachain-go/datachain/internal/tolerant"
)

type documentLink struct {
	Range  span   `json:"range"`
	Target string `json:"target"`
}

// links returns the values that are web addresses.
func (q *query) links(ctx context.Context, _ *documentParams) (any, error) {
	links := []documentLink{}
	q.walk(ctx, q.document(), func(n tolerant.Node) bool {
		if n.Kind() != '"' || !n.Closed() {
			return true
		}
		text := n.Text()
		u, err := url.Parse(text)
		if err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
			at := n.Range()
			links = append(links, documentLink{q.text.lines().span(at.Start+1, at.End-1), text})
		}
		return len(links) < maxRanges
	})
	return links, ctx.Err()
}
