package core

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"sync"

	"github.com/datachain-go/datachain/internal/httpcache"
)

// TypeJSON is the media type of comparisons for programs.
const TypeJSON = "application/json; charset=utf-8"

// timedWriter writes until a context ends, so that what is written step by step stops then.
type timedWriter struct {
	io.Writer
	ctx context.Context //nolint:containedctx // of one page
}

func (t timedWriter) Write(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.Writer.Write(p)
}

// Render makes the HTML of a page.
func (q *Request) Render(c *Content) ([]byte, error) {
	b, _ := rendering.Get().(*bytes.Buffer)
	if b == nil {
		b = new(bytes.Buffer)
	}
	defer rendering.Put(b)
	b.Reset()
	if err := c.Template.Execute(timedWriter{b, q.Ctx}, cmp.Or(c.Part, "layout"), q.dot(c)); err != nil {
		return nil, err // not the part that was written
	}
	return bytes.Clone(b.Bytes()), nil // pages are cached
}

// RenderPart makes the HTML of a template of a page.
func (q *Request) RenderPart(c *Content, name string) (string, error) {
	var b bytes.Buffer
	err := c.Template.Execute(timedWriter{&b, q.Ctx}, name, q.dot(c))
	return b.String(), err
}

// dot returns the dot of the templates of a page.
func (q *Request) dot(c *Content) any {
	s := q.Scope(c)
	if c.Dot == nil {
		return s
	}
	return c.Dot(s)
}

var rendering sync.Pool // of *bytes.Buffer

// The media types of pages and icons.
const (
	TypeHTML = "text/html; charset=utf-8"
	TypeSVG  = "image/svg+xml"
)

// Answer builds a page and makes the answer with it.
func (q *Request) Answer() (*httpcache.Answer, error) {
	c, err := q.Page.Build(q)
	if err != nil {
		return nil, err
	}
	body, contentType := c.Body, c.Type
	if body == nil && c.Write == nil {
		contentType = TypeHTML
		if body, err = q.Render(c); err != nil {
			return nil, err
		}
	}
	var ans *httpcache.Answer
	// Pages depend on everything that is published, so clients ask each time.
	if caching := cmp.Or(c.Caching, "no-cache"); c.Write == nil {
		ans = httpcache.NewAnswer(contentType, caching, body)
	} else if ans, err = httpcache.WriteAnswer(contentType, caching, func(w io.Writer) error { return c.Write(timedWriter{w, q.Ctx}) }); err != nil {
		return nil, err
	}
	ans.Status, ans.Expires = c.Status, c.Expires
	if !q.Page.Unlocalized && !c.Unlocalized {
		ans.Varying("Accept-Language").With("Content-Language", q.Locale)
	}
	if contentType == TypeSVG {
		c.Policy = httpcache.SVGPolicy
	}
	if c.Policy != "" {
		ans.With("Content-Security-Policy", c.Policy)
	}
	if c.JSON != "" {
		ans.With("Link", `<`+q.API(c.JSON)+`>; rel="alternate"; type="application/json"`)
	}
	return ans, nil
}

// AnswerPage answers a form with a page.
func (q *Request) AnswerPage(c *Content) (*httpcache.Answer, error) {
	body, err := q.Render(c)
	if err != nil {
		return nil, err
	}
	return httpcache.NewResult(TypeHTML, body).Varying("Accept-Language").
		With("Content-Language", q.Locale).With("Content-Security-Policy", c.Policy), nil
}

// MaxPage limits the size of the page of a document.
const MaxPage = 4 << 20
