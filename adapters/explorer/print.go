package explorer

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/taxonomy"
)

// maxPrinted is the number of elements that are printed at once. Of larger taxonomies,
// each category is printed by itself.
const maxPrinted = 2000

// papers are the sizes of paper, the first one the default.
var papers = []struct{ id, name string }{{"a4", "A4"}, {"letter", "Letter"}}

// printing is the data of the page.
type printing struct {
	Rows   []printRow // of the cover
	Papers []choice
	// Sheet is the style of this version: the size of the paper, and the foot of
	// every sheet.
	Sheet template.CSS
	// Chapters are the categories. There are none if the taxonomy is too large for
	// one print; Parts then leads to prints of its categories.
	Chapters []*chapter
	Parts    []named
}

// printRow is a line of the cover.
type printRow struct {
	Name  string
	Value text
	Code  bool
	// Address is that of the version, for the script: without a base URL only the
	// browser knows the host.
	Address string
}

// chapter is a category on paper.
type chapter struct {
	*taxonomy.Category
	Number   string
	Rules    []string
	Elements []*taxonomy.Element
}

func buildPrint(q *request) (*content, error) {
	r := q.release()
	v := r.Version()
	path := catalogPath(v) + "/print"
	d := new(printing)
	w := q.words
	categories := r.Categories()
	only, filtered := r.Category(q.params.Get("category"))
	if filtered {
		categories = []*taxonomy.Category{only}
	}
	state := url.Values{}
	if filtered {
		state.Set("category", only.ID)
	}
	paper := q.papers(d, path, state)
	q.cover(d)
	if len(r.ElementIDs()) > maxPrinted && !filtered {
		for _, c := range categories {
			begin, end := r.CategoryRange(c.ID)
			d.Parts = append(d.Parts, named{
				Name: q.name(c.Name, c.ID), Note: w.Count("layout.elements", end-begin), URL: q.to(path, with(state, "category", c.ID)),
			})
		}
	} else {
		for i, c := range categories {
			d.Chapters = append(d.Chapters, q.chapter(c, strconv.Itoa(i+1)))
		}
	}
	d.Sheet = sheetStyle(paper, q.title().Plain+" · "+v.String()+" · "+w.Day(q.released(v)), q.links.canonical(catalogPath(v), nil, ""), r.ContentHash().String())
	return &content{
		Title: w.Word("print.title", q.title().Plain), Path: path, State: state, JSON: apiPath(v) + "/release", Section: q.taxonomies(), Data: d, Unlisted: true,
		Styles: []string{"print.css"}, Policy: allowStyle(string(d.Sheet)),
	}, nil
}

// papers adds the choice of paper, and returns the chosen one.
func (q *request) papers(d *printing, path string, state url.Values) string {
	chosen := papers[0].id
	for _, p := range papers {
		if q.params.Get("paper") == p.id {
			chosen = p.id
		}
	}
	for i, p := range papers {
		own := state
		if i > 0 {
			own = with(state, "paper", p.id)
		}
		d.Papers = append(d.Papers, choice{Name: p.name, URL: q.to(path, own), Current: p.id == chosen})
	}
	if chosen != papers[0].id {
		state.Set("paper", chosen)
	}
	return chosen
}

// cover adds what identifies the version.
func (q *request) cover(d *printing) {
	r, w := q.release(), q.words
	v := r.Version()
	d.Rows = []printRow{
		{Name: q.words.Word("layout.version"), Value: q.raw(v.String()), Code: true},
		{Name: w.Word("print.status"), Value: q.in(q.words.Lang, q.status(v.Status()))},
		{Name: w.Word("print.date"), Value: q.in(q.words.Lang, q.words.Day(q.released(v)))},
		{Name: w.Word("print.hash"), Value: q.raw(r.ContentHash().String()), Code: true},
	}
	if address := q.links.canonical(catalogPath(v), nil, ""); address != "" {
		d.Rows = append(d.Rows, printRow{Name: w.Word("print.address"), Value: q.raw(address), Code: true, Address: address})
	}
	d.Rows = append(d.Rows, printRow{Name: w.Word("print.languages"), Value: q.endonyms(r.Locales())})
}

// endonyms lists languages, each in its own words.
func (q *request) endonyms(locales []string) text {
	var plain, html []string
	for _, locale := range locales {
		name := q.in(locale, endonym(locale))
		plain, html = append(plain, name.Plain), append(html, string(name.unmarked().HTML()))
	}
	return text{Plain: joined(plain), html: template.HTML(joined(html))} //nolint:gosec // escaped
}

// chapter describes a category with all of its elements.
func (q *request) chapter(c *taxonomy.Category, number string) *chapter {
	begin, end := q.release().CategoryRange(c.ID)
	return &chapter{c, number, q.ruleTexts(c), q.release().Elements()[begin:end]}
}

// sheetStyle returns the style of the sheets: the size of the paper, and what stands at
// the foot of each.
func sheetStyle(paper, title, address, hash string) template.CSS {
	return template.CSS("@page{size:" + paper + "}:root{--sheet-title:" + cssString(title) + ";--sheet-address:" + cssString(address) +
		";--sheet-hash:" + cssString(hash) + "}") //nolint:gosec // escaped
}

// cssString quotes a text for a style sheet. Everything but letters, digits and spaces
// is escaped, so no text ends the string or the style element.
func cssString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range i18n.Clean(s) {
		if r == ' ' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			b.WriteRune(r)
		} else {
			b.WriteString(`\` + strconv.FormatInt(int64(r), 16) + " ")
		}
	}
	return b.String() + `"`
}

// allowStyle returns the usual policy, which also allows inline styles by their hashes.
func allowStyle(styles ...string) string {
	allowed := []string{"style-src 'self'"}
	for _, style := range styles {
		sum := sha256.Sum256([]byte(style))
		allowed = append(allowed, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return strings.Replace(policy[0], allowed[0], strings.Join(allowed, " "), 1)
}
