package lsp_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/editors/lsp"
)

// garden returns a taxonomy with what documents can need: categories that need several
// placements or have a limit, contexts, select and text variables, options that apply to
// some elements only, elements that can be placed once, and no language of the user.
func garden() fstest.MapFS {
	const dir = "garden/2026-03-01-stable/"
	files := fstest.MapFS{}
	add := func(name, text string) { files[dir+name] = &fstest.MapFile{Data: []byte(text)} }
	add("schema.yaml", `locales: [de, en]
title: {de: Garten, en: Garden}
description: {de: Ein Garten., en: A garden.}
datachain_type:
  id: garden
  name: {de: Garten, en: Garden}
  categories: [notes, plants, care, owner]
  subchains: [{id: bed, name: {de: Beet, en: Bed}, categories: [plants, care]}]
`)
	add("categories/notes.yaml", "id: notes\nname: {de: Notizen, en: Notes}\ndescription: {de: Notizen., en: Notes.}\nshape: circle\n")
	add("categories/plants.yaml", `id: plants
name: {de: Pflanzen, en: Plants}
description: {de: Was wächst., en: What grows.}
shape: hexagon
required: true
cardinality: {min: 3, max: 4}
context:
  required: true
  values:
    - {id: sunny, label: {de: sonnig, en: sunny}}
    - {id: shady, label: {de: schattig, en: shady}}
`)
	add("categories/care.yaml", `id: care
name: {de: Pflege, en: Care}
description: {de: Was zu tun ist., en: What to do.}
shape: circle
required: true
variables:
  - id: season
    label: {de: Jahreszeit, en: Season}
    required: true
    type: select
    options:
      - {id: spring, label: {de: Frühling, en: Spring}, applies_to: [care.mow]}
      - {id: autumn, label: {de: Herbst, en: Autumn}, applies_to: [care.prune]}
`)
	add("categories/owner.yaml", `id: owner
name: {de: Besitz, en: Owner}
description: {de: Wem er gehört., en: Who owns it.}
shape: circle
required: true
cardinality: {min: 1, max: 1}
variables:
  - {id: name, label: {de: Name, en: Name}, required: true}
  - {id: phone, label: {de: Telefon, en: Telephone}}
  - {id: street, label: {de: Straße, en: Street}, required: true}
`)
	element := func(category, id, more string) string {
		return "- {id: " + category + "." + id + ", category_id: " + category + ", symbol_id: dot, title: {de: " + id + ", en: " + id + "}, description: {de: " + id + ", en: " + id + "}" + more + "}\n"
	}
	add("elements/all.yaml", element("plants", "rose", ", max_placements: 1")+element("plants", "oak", ", max_placements: 1")+element("plants", "moss", "")+
		element("care", "prune", "")+element("care", "mow", "")+element("owner", "town", "")+element("notes", "free", ""))
	add("symbols/dot.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="9" fill="currentColor"/></svg>`)
	return files
}

// take takes an item, and returns the offsets of its stops in the text; the cursor goes
// to the end of what was inserted.
func (y *typist) take(chosen item) []int {
	y.t.Helper()
	with := chosen.TextEdit.NewText
	var marked strings.Builder
	for at := 0; at < len(with); at++ {
		digits := 0
		for chosen.Format == 2 && with[at] == '$' && at+1+digits < len(with) && '0' <= with[at+1+digits] && with[at+1+digits] <= '9' {
			digits++
		}
		switch {
		case digits > 0:
			marked.WriteString("\x01")
			at += digits
		case chosen.Format == 2 && with[at] == '\\':
			at++
			marked.WriteByte(with[at])
		default:
			marked.WriteByte(with[at])
		}
	}
	text := apply(y.text, append([]textEdit{{chosen.TextEdit.Range, marked.String() + "¦"}}, chosen.Additional...))
	var found []int
	for {
		i := strings.IndexByte(text, '\x01')
		if i < 0 {
			break
		}
		found = append(found, i)
		text = text[:i] + text[i+1:]
	}
	y.set(text)
	return found
}

// fill fills in the stops of an item: by the first completion, or by words. The last one
// comes first, so that the places of the others stay the same.
func (y *typist) fill(at []int) {
	y.t.Helper()
	end := len(y.text) - y.cursor
	for _, stop := range slices.Backward(at) {
		y.cursor = stop
		if items := y.complete().Items; len(items) > 0 {
			y.fill(y.take(items[0]))
		} else {
			y.write("some words")
		}
	}
	y.cursor = len(y.text) - end
}

// placeAll accepts the first placement that is offered until there is nothing to be found
// any more.
func (y *typist) placeAll() {
	y.t.Helper()
	for range 30 {
		items := y.complete().Items
		require.NotEmpty(y.t, items, "at %s¦%s", y.text[:y.cursor], y.text[y.cursor:])
		y.fill(y.take(items[0]))
		y.version++
		y.change(chain, y.version, y.text)
		if len(y.diagnostics(chain, y.version)) == 0 {
			return
		}
		y.write(",\n    ")
	}
	y.t.Fatalf("never valid:\n%s\n%v", y.text, y.diagnostics(chain, y.version))
}

// TestBlindTypist types documents of every type from an empty file to a valid one without
// knowing anything about the taxonomy: it accepts the first completion everywhere, and
// writes words where there is none.
func TestBlindTypist(t *testing.T) {
	tree, err := source.CompileAll(garden(), nil)
	require.NoError(t, err)
	require.Empty(t, tree.Issues())
	store, err := memstore.New(tree.Publications()...)
	require.NoError(t, err)
	for name, service := range map[string]*datachain.Service{"samples": samples(t), "garden": must(datachain.New(store, nil))} {
		t.Run(name, func(t *testing.T) {
			open := func() *typist {
				e := connect(t, lsp.New(opened(service), nil))
				e.initialize(object{"capabilities": full, "locale": "fr"})
				e.open(chain, "")
				y := &typist{editor: e, version: 1}
				y.set("¦")
				return y
			}
			documents := open().complete().Items
			require.NotEmpty(t, documents)
			for i := range documents {
				t.Run("document "+strconv.Itoa(i), func(t *testing.T) {
					y := open()
					y.t = t
					at := y.take(documents[i])
					y.cursor = at[0]
					y.write("my-document")
					y.cursor = at[1] + len("my-document")
					y.placeAll()
				})
			}
			t.Run("key by key", func(t *testing.T) {
				y := open()
				y.t = t
				y.set("{¦}")
				for before := y.text; ; before = y.text {
					if before != "{}" {
						y.write(",\n  ")
					}
					items := y.complete().Items
					i := slices.IndexFunc(items, func(i item) bool { return i.Detail == "required" })
					if i < 0 {
						y.text = before
						break
					}
					at := y.take(items[i])
					if items[i].id() != "elements" {
						y.fill(at)
						continue
					}
					end := len(y.text) - y.cursor
					y.cursor = at[0]
					y.placeAll()
					y.cursor = len(y.text) - end
				}
				y.version++
				y.change(chain, y.version, y.text)
				require.Empty(t, y.diagnostics(chain, y.version), y.text)
			})
		})
	}
}
