package pages_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/history"
	upgrades "github.com/datachain-go/datachain/history/rest"
	"github.com/datachain-go/datachain/pages"
	render "github.com/datachain-go/datachain/pages/view/rest"
	"github.com/datachain-go/datachain/register"
	documents "github.com/datachain-go/datachain/register/rest"
	releases "github.com/datachain-go/datachain/release/rest"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	stable       = "ai@2026-11-15-stable"
	beta         = "ai@2026-11-18-beta"
	withoutRoles = "ai@2026-09-01-stable"
)

// site is a server with the pages and the API, as the command serves them.
type site struct {
	t   *testing.T
	url string
}

// open serves a store; nil is the samples.
func open(t *testing.T, store taxonomy.Store, o *pages.Options) *site {
	t.Helper()
	return openLimited(t, store, o, nil)
}

// openLimited serves a store with rate limits.
func openLimited(t *testing.T, store taxonomy.Store, o *pages.Options, limiter ratelimit.Limiter) *site {
	t.Helper()
	if store == nil {
		samples, err := published.Store()
		require.NoError(t, err)
		store = samples
	}
	service := must(datachain.New(store, &datachain.Options{Lineage: history.For}))
	shown, err := pages.New(service, o)
	require.NoError(t, err)
	var r *register.Register
	if o != nil {
		r = o.Documents
	}
	api := &httpapi.Options{Limiter: limiter, Routes: routes(r), Mounts: []httpapi.Mount{{Path: "/", Handler: shown, Bucket: shown.Bucket, Refuse: shown.Refuse}}}
	h, err := httpapi.New(service, api)
	require.NoError(t, err)
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return &site{t, server.URL}
}

// routes are those of the product, with the documents of a register unless it is nil.
func routes(r *register.Register) []httpapi.Route {
	all := slices.Concat([]httpapi.Route{releases.Mappings(), releases.InstanceSchema(), render.Render()}, upgrades.Routes(), releases.Log(nil, nil))
	if r != nil {
		all = append(all, documents.Routes(r)...)
	}
	return all
}

// reply is a response with its body.
type reply struct {
	*http.Response
	body string
}

// do sends a request. Headers are pairs of name and value.
func (s *site) do(method, path string, headers ...string) reply {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, http.NoBody)
	require.NoError(s.t, err)
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.answer(r)
}

func (s *site) answer(r *http.Request) reply {
	s.t.Helper()
	res, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, res.Body.Close()) }()
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	return reply{res, string(body)}
}

// page gets a page that must exist.
func (s *site) page(path string, headers ...string) *node {
	s.t.Helper()
	res := s.do(http.MethodGet, path, headers...)
	require.Equal(s.t, http.StatusOK, res.StatusCode, "%s: %s", path, res.body)
	return parse(s.t, res.body)
}

// node is a node of a page.
type node struct{ *html.Node }

func parse(t *testing.T, text string) *node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	require.NoError(t, err)
	return &node{root}
}

// all returns the nodes below that match a simple selector: a tag, .class, #id or
// tag.class.
func (n *node) all(selector string) []*node {
	var list []*node
	for d := range n.Descendants() {
		if c := (&node{d}); d.Type == html.ElementNode && c.is(selector) {
			list = append(list, c)
		}
	}
	return list
}

func (n *node) is(selector string) bool {
	if id, ok := strings.CutPrefix(selector, "#"); ok {
		return n.attr("id") == id
	}
	tag, class, _ := strings.Cut(selector, ".")
	if tag != "" && n.Data != tag {
		return false
	}
	return class == "" || strings.Contains(" "+n.attr("class")+" ", " "+class+" ")
}

// first returns the first node that matches a selector.
func (n *node) first(t *testing.T, selector string) *node {
	t.Helper()
	list := n.all(selector)
	require.NotEmpty(t, list, selector)
	return list[0]
}

func (n *node) attr(name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// text returns the text of a node with single spaces.
func (n *node) text() string { return strings.Join(strings.Fields(n.raw()), " ") }

// raw returns the text of a node as it is.
func (n *node) raw() string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
