package explorer

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// The citations of a version, for programs that manage literature.
const (
	bibPath = "/cite.bib"
	cslPath = "/cite.json"
)

func bibPage() *page {
	return &page{name: "raw", pattern: "/t/{version}" + bibPath, build: func(q *request) (*content, error) {
		return &content{Path: catalogPath(q.release().Version()) + bibPath, Type: "application/x-bibtex; charset=utf-8", Body: []byte(q.citation().bibTeX())}, nil
	}}
}

func cslPage() *page {
	return &page{name: "raw", pattern: "/t/{version}" + cslPath, build: func(q *request) (*content, error) {
		body, err := q.citation().csl()
		return &content{Path: catalogPath(q.release().Version()) + cslPath, Type: "application/vnd.citationstyles.csl+json; charset=utf-8", Body: body}, err
	}}
}

// citation is what is needed to cite a version.
type citation struct {
	id, title, author string
	version, hash     string
	date              string // YYYY-MM-DD
	address           string // or "" if it is not known
	language          string
}

func (q *request) citation() *citation {
	r := q.release()
	v := r.Version()
	return &citation{
		id: v.Type() + "-" + v.Date() + "-" + string(v.Status()), title: q.name(r.Manifest().Title, v.Type()).Plain, author: q.raw(r.Manifest().Attribution).Plain,
		version: v.String(), hash: r.ContentHash().String(), date: q.released(v), address: q.links.canonical(catalogPath(v), nil), language: q.locale,
	}
}

// bibTeX returns the citation as an entry of BibTeX.
func (c *citation) bibTeX() string {
	var b strings.Builder
	b.WriteString("@misc{" + c.id)
	field := func(name, value string) {
		if value != "" {
			b.WriteString(",\n  " + name + " = {" + escapeTeX(value) + "}")
		}
	}
	field("title", c.title)
	field("author", c.author)
	field("year", c.date[:4])
	field("month", c.date[5:7])
	field("version", c.version)
	field("howpublished", c.url())
	field("note", c.hash)
	b.WriteString("\n}\n")
	return b.String()
}

// url returns the address, if it is one without a server that is known.
func (c *citation) url() string {
	if strings.HasPrefix(c.address, "http") {
		return c.address
	}
	return ""
}

// escapeTeX escapes what has a meaning in TeX.
func escapeTeX(s string) string {
	return strings.NewReplacer(
		`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "_", `\_`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	).Replace(s)
}

// csl returns the citation in the JSON of the Citation Style Language.
func (c *citation) csl() ([]byte, error) {
	type name struct {
		Literal string `json:"literal"`
	}
	type date struct {
		Parts [][]int `json:"date-parts"`
	}
	item := struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Title    string `json:"title"`
		Author   []name `json:"author,omitempty"`
		Issued   date   `json:"issued"`
		Version  string `json:"version"`
		URL      string `json:"URL,omitempty"`
		Note     string `json:"note"`
		Language string `json:"language"`
	}{ID: c.id, Type: "dataset", Title: c.title, Version: c.version, URL: c.url(), Note: c.hash, Language: c.language}
	if c.author != "" {
		item.Author = []name{{c.author}}
	}
	parts := make([]int, 0, 3)
	for part := range strings.SplitSeq(c.date, "-") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
	}
	item.Issued.Parts = [][]int{parts}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode([]any{item})
	return b.Bytes(), err
}
