package dtpr

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// proposal is a mapping that a source suggests, because it cites an entry of a law. Authors must
// confirm it, and say how the two are related.
type proposal struct {
	scheme  taxonomy.Scheme
	entry   string
	because string
}

// propose returns the mappings that the sources of an element or a category suggest, each once: to
// the articles and points of annexes that they cite, if the URL of the act is a European Legislation
// Identifier (ELI).
func propose(sources []taxonomy.Source) []proposal {
	var list []proposal
	for _, s := range sources {
		act := eli.FindStringSubmatch(s.URL)
		if act == nil {
			continue
		}
		name := strings.TrimRight(wording.Line(beforeEntry.ReplaceAllString(s.Title, "")), " ,:(")
		if name == "" {
			name = strings.Join(act[1:], " ")
		}
		scheme := taxonomy.Scheme{ID: strings.Join(act[1:], "-"), URL: s.URL, Title: taxonomy.Localized{{Value: name}}}
		for _, entry := range slices.Concat(entriesIn(s.Citation), entriesIn(s.Title)) {
			if !slices.ContainsFunc(list, func(p proposal) bool { return p.scheme.ID == scheme.ID && p.entry == entry }) {
				list = append(list, proposal{scheme, entry, wording.Line(s.Title)})
			}
		}
	}
	return list
}

var (
	// eli finds the type, year and number of an act in its ELI.
	eli = regexp.MustCompile(`^https?://[^/]+/eli/([a-z]{1,16})/(\d{4})/(\d{1,6})(?:/|$)`)
	// articles and annexes find entries: "Articles 13, 15(1)(h) and 17", "Article 9",
	// "Annex III §5(b) and §5(c)", "Annex XI, section 1, point 2(e)".
	articles = regexp.MustCompile(`(?i)\bart(?:icles?|s?\.)[\s\x{A0}]*(` + item + `(?:` + between + item + `)*)`)
	annexes  = regexp.MustCompile(`\bAnnex ([IVXLC]+|\d+)\b(,? section \d+)?(?:,?\s*(` + point + `(?:` + between + point + `)*))?`)
	items    = regexp.MustCompile(item)
	ranges   = regexp.MustCompile(`^(\d{1,3})\s*(?:–|-|to)\s*(\d{1,3})$`)
	// beforeEntry finds what follows the name of an act in a title.
	beforeEntry = regexp.MustCompile(`(?i)\s*(?:\bart(?:icles?|s?\.)[\s\x{A0}]*\d|\bAnnex |—|–).*$`)
)

const (
	item    = `\d{1,3}[a-z]?(?:\(\w{1,4}\))*(?:\s*(?:–|-|to)\s*\d{1,3})?`
	point   = `(?:§|points?)?\s*` + item
	between = `(?:\s*(?:,|and|\+|&|or)\s*)+`
)

// maxRange is the number of articles in a range that are proposed one by one.
const maxRange = 50

// entriesIn returns the entries that a text cites.
func entriesIn(text string) []string {
	var list []string
	for _, m := range articles.FindAllStringSubmatch(text, -1) {
		for _, number := range items.FindAllString(m[1], -1) {
			list = append(list, spread("Art. ", number)...)
		}
	}
	for _, m := range annexes.FindAllStringSubmatch(text, -1) {
		annex := "Annex " + m[1]
		if section := strings.TrimLeft(m[2], ", "); section != "" {
			annex += ", " + section
		}
		points := items.FindAllString(m[3], -1)
		for _, number := range points {
			list = append(list, spread(annex+", point ", number)...)
		}
		if len(points) == 0 {
			list = append(list, annex)
		}
	}
	return list
}

// spread returns the entries in a range of numbers, or a single one.
func spread(prefix, number string) []string {
	m := ranges.FindStringSubmatch(number)
	if m == nil {
		return []string{prefix + number}
	}
	first, _ := strconv.Atoi(m[1]) // three digits
	last, _ := strconv.Atoi(m[2])
	if last < first || last-first >= maxRange {
		return []string{prefix + m[1], prefix + m[2]}
	}
	var list []string
	for n := first; n <= last; n++ {
		list = append(list, prefix+strconv.Itoa(n))
	}
	return list
}

// noteProposals notes that mappings are proposed for an element or a category.
func (v *version) noteProposals(o object, id string, sources []taxonomy.Source) {
	if list := propose(sources); len(list) > 0 {
		v.notes.at(Proposed, o.get("sources"), id, "sources cite articles of laws: confirm the mappings at the end of the file")
	}
}

// Files returns the authoring source of the version by file names. Mappings that sources suggest are
// comments at the ends of files, to be confirmed.
func (v *Version) Files() map[string][]byte {
	files := v.Source.Files()
	var schemes []taxonomy.Scheme
	add := func(name string, sources []taxonomy.Source) {
		list := propose(sources)
		if len(list) == 0 {
			return
		}
		text := fmt.Append(files[name], "# Proposed by the sources. Check each, correct the relation, and remove the # to confirm it.\n#mappings:\n")
		for _, p := range list {
			text = fmt.Appendf(text, "#- {scheme: %s, id: %s, relation: %s} # %s\n", p.scheme.ID, quoted(p.entry), codes.RelationRelated, p.because)
			if !slices.ContainsFunc(schemes, func(s taxonomy.Scheme) bool { return s.ID == p.scheme.ID }) {
				schemes = append(schemes, p.scheme)
			}
		}
		files[name] = text
	}
	for i := range v.Source.Categories {
		add("categories/"+v.Source.Categories[i].ID+".yaml", v.Source.Categories[i].Sources)
	}
	for i := range v.Source.Elements {
		add("elements/"+v.Source.Elements[i].ID+".yaml", v.Source.Elements[i].Sources)
	}
	if len(schemes) > 0 {
		text := fmt.Append(files["schema.yaml"], "# The schemes of proposed mappings. Remove the # of those that you confirm.\n#schemes:\n")
		for _, s := range schemes {
			text = fmt.Appendf(text, "#- {id: %s, title: {%s: %s}, url: %s}\n", s.ID, v.Source.Locales[0], quoted(s.Title[0].Value), quoted(s.URL))
		}
		files["schema.yaml"] = text
	}
	return files
}

// quoted returns a text as JSON, which is YAML, too.
func quoted(text string) string {
	b, _ := json.Marshal(text) // of a string
	return string(b)
}
