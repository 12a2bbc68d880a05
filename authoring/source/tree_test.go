package source_test

import (
	"fmt"
	"strings"
	"testing/fstest"
)

const symbolSVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M9 18h18" stroke="currentColor"/></svg>`

// bigTree returns a valid tree of n elements in three locales: lists of 500
// elements, ten categories with contexts and variables, fifty symbols.
func bigTree(n int) fstest.MapFS {
	const perFile, categories, symbols = 500, 10, 50
	tree := fstest.MapFS{}
	add := func(name, format string, args ...any) {
		tree[dir+name] = &fstest.MapFile{Data: fmt.Appendf(nil, format, args...)}
	}
	three := func(s string) string {
		return fmt.Sprintf("{en: %s, fr: %s en français, es: %s en español}", s, s, s)
	}
	var ids []string
	for i := range categories {
		ids = append(ids, fmt.Sprintf("cat%d", i))
		add("categories/"+ids[i]+".yaml", `id: %s
name: %s
description: %s
shape: circle
variables:
  - {id: retention, label: %s, required: true}
  - {id: kind, label: %s, type: select, options: [{id: a, label: %s}, {id: b, label: %s}]}
context:
  values:
    - {id: personal, label: %s, color: "#1F6FEB"}
    - {id: anonymous, label: %s}
`, ids[i], three("Name"), three("What it is"), three("Kept for"), three("Kind"), three("A"), three("B"), three("P"), three("N"))
	}
	for i := range symbols {
		add(fmt.Sprintf("symbols/symbol%d.svg", i), "%s", symbolSVG)
	}
	add("schema.yaml", "locales: [en, fr, es]\ntitle: %s\ndescription: %s\ndatachain_type: {id: ai, name: %s, categories: [%s]}\n",
		three("Title"), three("Description"), three("AI"), strings.Join(ids, ", "))
	for start := 0; start < n; start += perFile {
		var b strings.Builder
		for i := start; i < min(start+perFile, n); i++ {
			fmt.Fprintf(&b, `- id: %s.element-%d
  category_id: %s
  symbol_id: symbol%d
  title:
    en: The title of element %d
    fr: Le titre de l’élément %d
    es: El título del elemento %d
  description:
    en: "One or two sentences for the people who are affected, which tell that data are kept for {{retention}}."
    fr: "Une ou deux phrases pour les personnes concernées, qui disent que les données sont conservées {{retention}}."
    es: "Una o dos frases para las personas afectadas, que dicen que los datos se guardan {{retention}}."
  keywords: {en: "word, other", fr: "mot, autre", es: "palabra, otra"}
`, ids[i%categories], i, ids[i%categories], i%symbols, i, i, i)
		}
		add(fmt.Sprintf("elements/%05d.yaml", start/perFile), "%s", b.String())
	}
	return tree
}
