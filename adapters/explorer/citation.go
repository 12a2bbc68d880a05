package explorer

import (
	"bytes"
	"encoding/json"
	"html/template"
	"strconv"
	"strings"
)

// The citations of a version, for programs that manage literature.
const (
	bibPath = "/cite.bib"
	cslPath = "/cite.json"
)

func buildBib(q *request) (*content, error) {
	entry := q.citation().bibTeX(func(t text) string { return t.Plain })
	return &content{Path: catalogPath(q.release().Version()) + bibPath, Type: "application/x-bibtex; charset=utf-8", Body: []byte(entry)}, nil
}

func buildCSL(q *request) (*content, error) {
	body, err := q.citation().csl()
	return &content{Path: catalogPath(q.release().Version()) + cslPath, Type: "application/vnd.citationstyles.csl+json; charset=utf-8", Body: body}, err
}

// citation is what is needed to cite a version.
type citation struct {
	id            string
	title, author text
	version, hash string
	date          string // YYYY-MM-DD
	address       string // or "" if it is not known
	language      string
}

func (q *request) citation() *citation {
	r := q.release()
	v := r.Version()
	return &citation{
		id: v.Type() + "-" + v.Date() + "-" + string(v.Status()), title: q.title(), author: q.raw(r.Manifest().Attribution),
		version: v.String(), hash: r.ContentHash().String(), date: q.released(v), address: q.links.canonical(catalogPath(v), nil, ""), language: q.locale,
	}
}

// bibTeX returns the citation as an entry of BibTeX. The function writes a value, which is
// escaped for TeX.
func (c *citation) bibTeX(write func(text) string) string {
	var b strings.Builder
	b.WriteString("@misc{" + c.id)
	field := func(name string, value text) {
		if !value.Empty() {
			value.Plain = escapeTeX(value.Plain)
			b.WriteString(",\n  " + name + " = {" + write(value) + "}")
		}
	}
	field("title", c.title)
	field("author", c.author)
	field("year", text{Plain: c.date[:4]})
	field("month", text{Plain: c.date[5:7]})
	field("version", text{Plain: c.version})
	field("howpublished", text{Plain: c.url()})
	field("note", text{Plain: c.hash})
	b.WriteString("\n}\n")
	return b.String()
}

// shown returns the entry of BibTeX for a page, which tells the languages of texts.
func (c *citation) shown() template.HTML {
	return template.HTML(c.bibTeX(func(t text) string { //nolint:gosec // escaped
		t.html = template.HTML(template.HTMLEscapeString(t.Plain)) //nolint:gosec // escaped
		if t.lang == "" && t.dir == "" {
			return string(t.html)
		}
		return string(t.unmarked().HTML())
	}))
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
	}{ID: c.id, Type: "dataset", Title: c.title.Plain, Version: c.version, URL: c.url(), Note: c.hash, Language: c.language}
	if !c.author.Empty() {
		item.Author = []name{{c.author.Plain}}
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
