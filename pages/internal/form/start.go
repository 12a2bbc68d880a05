package form

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
)

// composeStart asks what the system is called and of what kind it is.
type composeStart struct {
	Query   string
	Name    string // what was typed before Enter
	Types   []*composeType
	Samples []core.Named
}

// composeType is a kind of system: a taxonomy to describe it with.
type composeType struct {
	Name, Kind, About phrases.Text
	Version           string // to begin with
	// Found are titles of elements that match what is searched for.
	Found []phrases.Text
	// Versions are the others: stable ones, then betas, each with its link.
	Versions []core.Choice
}

func (q *request) composeType(schema *datachain.Schema) *composeType {
	r := schema.Release()
	return &composeType{
		Name: q.Name(r.Manifest().Title, r.Version().Type()), Kind: q.Name(r.Type().Name, r.Version().Type()),
		About: q.Text(r.Manifest().Description), Version: r.Version().String(),
	}
}

// maxOthers is how many other versions of each taxonomy are offered.
const maxOthers = 6

// maxStartFound is how many elements a search shows of each taxonomy.
const maxStartFound = 5

// startCompose lists the taxonomies, first the one with the element that fits best what is
// searched for.
func (q *request) startCompose(query string) (*composeStart, error) {
	d := &composeStart{Query: query}
	best, used := make(map[*composeType]float64), q.usedVersions()
	for _, t := range q.Site.Overview(q.Ctx, q.Index).Types {
		schema, err := q.Site.Service.Open(q.Ctx, firstVersion(t, used).String())
		if err != nil {
			continue // as on the start page
		}
		own := q.among(schema.Release())
		one := own.composeType(schema)
		for _, status := range []taxonomy.Status{taxonomy.Stable, taxonomy.Beta} {
			for _, e := range t.Entries {
				if e.ID.Status() == status && e.ID != schema.Release().Version() && len(one.Versions) < maxOthers {
					one.Versions = append(one.Versions, core.Choice{Name: q.Day(q.Released(e.ID)), Note: q.StatusName(status), URL: q.To(core.ComposePath, url.Values{"new": {e.ID.String()}})})
				}
			}
		}
		if query != "" {
			hits, _, err := schema.Search(q.Ctx, own.Chooser().Locale, search.Query{Text: query, Limit: maxStartFound})
			if err != nil {
				return nil, err
			}
			for _, hit := range hits.Hits {
				best[one] = max(best[one], hit.Score)
				one.Found = append(one.Found, own.Titled(hit.Element, nil))
			}
		}
		d.Types = append(d.Types, one)
	}
	slices.SortStableFunc(d.Types, func(a, b *composeType) int { return cmp.Compare(best[b], best[a]) })
	for _, s := range q.Samples() {
		if title, published := q.SampleTitle(&s); s.Code == "" && published {
			d.Samples = append(d.Samples, core.Named{Name: title, Note: s.Name})
		}
	}
	return d, nil
}

// usedVersions counts the documents of the register by the version that they pin.
func (q *request) usedVersions() map[taxonomy.Version]int {
	used := make(map[taxonomy.Version]int)
	if q.Register != nil {
		for _, d := range q.Register.Documents() {
			if !d.Removed() {
				used[d.Version]++
			}
		}
	}
	return used
}

// firstVersion returns the version to begin a description with: of those that are not deprecated, the
// one that most documents use, so that they can be compared, or else what is best for new ones.
func firstVersion(t *core.PublishedType, used map[taxonomy.Version]int) taxonomy.Version {
	first := t.First()
	for _, e := range t.Entries {
		if e.Deprecated == "" && used[e.ID] > used[first] {
			first = e.ID
		}
	}
	return first
}

// begin returns a new document. The time of its creation is added when something is written.
func (q *request) begin(version, title string, state *composeState) (string, error) {
	schema, err := q.Site.Service.Open(q.Ctx, version)
	if err != nil {
		return "", err
	}
	r := schema.Release()
	chooser := phrases.NewChooser(r.Locales(), q.Locale)
	state.Locales = []string{chooser.Locale}
	doc := struct {
		ID            string             `json:"id"`
		Title         taxonomy.Localized `json:"title,omitempty"`
		SchemaVersion string             `json:"schema_version"`
		CreatedAt     string             `json:"created_at"`
		Elements      []struct{}         `json:"elements"`
	}{ID: idOf(title), SchemaVersion: r.Version().String(), Elements: []struct{}{}}
	if title != "" {
		doc.Title = taxonomy.Localized{{Locale: chooser.Locale, Value: title}}
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	return string(text) + "\n", err
}

// complete gives a document that was begun here the time of its creation, and an id that follows
// its title until a person writes another.
func complete(before, doc *document.Document) ([]byte, error) {
	editor := edit.New(doc)
	put := func(key, value string) {
		if v, ok := doc.Root().Get(key); ok && v.Text() != value {
			editor.Replace(v, jcs.AppendQuote(nil, value))
		}
	}
	if core.TextAt(doc.Root(), "created_at") == "" {
		put("created_at", time.Now().UTC().Format(time.RFC3339))
	}
	if id := core.TextAt(doc.Root(), "id"); id == core.TextAt(before.Root(), "id") && id == titleID(before) {
		put("id", titleID(doc))
	}
	return document.ApplyEdits(doc.Text(), editor.Edits())
}

// titleID makes an id of the first title of a document.
func titleID(doc *document.Document) string {
	for t := range core.Child(doc.Root(), "title").All() {
		return idOf(core.TextAt(t, "value"))
	}
	return idOf("")
}

// maxOwnID is the length of an id that is made of a title.
const maxOwnID = 48

// idOf makes an id of a title: its letters and digits in lower case, with hyphens between
// them. Other letters are left out.
func idOf(title string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case r < 0x80:
			return '-'
		}
		return -1
	}, strings.ToLower(title))
	words := strings.FieldsFunc(id, func(r rune) bool { return r == '-' })
	for id = ""; len(words) > 0 && len(id)+len(words[0]) < maxOwnID; words = words[1:] {
		id += "-" + words[0]
	}
	return cmp.Or(strings.TrimPrefix(id, "-"), "my-datachain")
}
