package dtpr_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/datachain-dtpr/internal/dtpr"
	"github.com/datachain-go/datachain/taxonomy"
)

const frontMatterTree = `
-- content/toys/datachain_types/en/gadget.md --
---
id: gadget
name: Gadget
---
-- content/toys/datachain_types/pt/gadget.md --
---
id: gadget
name: Aparelho
---
-- content/toys/categories/en/gadget__data.md --
---
id: gadget__data
name: Data
description: What it collects for {days}
prompt: What does it collect?
datachain_type: gadget
order: 2
element_variables:
  - id: days
    label: Days
    default: ""
    required: true
context:
  id: who
  name: Who
  description: Who it is about
  values:
    - {id: you, name: You, description: It is you, color: "#FFD700"}
updated_at: 2025-08-29T00:00:00Z
---
-- content/toys/categories/pt/gadget__data.md --
---
id: gadget__data
name: Dados
description: O que recolhe por {days}
datachain_type: gadget
order: 3
element_variables:
  - id: days
    label: Dias
  - id: more
    label: Mais
context:
  id: who
  name: Quem
  description: De quem se trata
  values:
    - {id: you, name: Você, description: É você, color: "#FFD700"}
---
-- content/toys/categories/en/gadget__tech.md --
---
id: gadget__tech
name: Technology
headline: How it works
datachain_type: gadget
order: 1
---
-- content/toys/categories/en/brain__data.md --
---
id: brain__data
name: Data
description: What it knows
datachain_type: brain
---
-- content/toys/elements/en/data__heart.md --
---
category:
  - gadget__data
  - brain__data
name: "Heart for {days}, not {this}"
id: heart
description: >-
  Your heart,
  your data.
icon: /icons/heart_rate.svg
symbol: /icons/symbols/heart.svg
updated_at: 2025-09-30T00:00:00Z
---

Body text.
-- content/toys/elements/pt/data__heart.md --
---
category:
  - other__data
name: "Coração por {days}"
id: heart
description: Os seus dados.
icon: /icons/heart_rate.svg
---
-- content/toys/elements/en/tech__wheel.md --
---
category: gadget__tech
name: Wheel
description: It turns
icon: /icons/wheel.svg
---
-- content/toys/elements/en/tech__blank.md --
---
category: gadget__tech
id: blank
name: Blank
description: It has no drawing
---
-- content/toys/elements/en/tech__broken.md --
No front matter.
-- public/icons/symbols/heart.svg --
DRAWING
-- public/icons/symbols/wheel.svg --
DRAWING
-- public/icons/wheel.svg --
<svg/>
`

func TestFrontMatter(t *testing.T) {
	t.Parallel()
	r, err := dtpr.Import(files(frontMatterTree), &dtpr.Options{Status: taxonomy.Stable})
	require.NoError(t, err)
	require.Len(t, r.Versions, 2)
	assert.Equal(t, "brain@2025-09-30-stable", r.Versions[0].ID.String())
	assert.Equal(t, "gadget@2025-09-30-stable", r.Versions[1].ID.String())
	assert.Equal(t, "content/toys", r.Versions[1].From)
	assert.Equal(t, []string{"heart"}, build(t, r.Versions[0]).ElementIDs())

	g := build(t, r.Versions[1])
	assert.Equal(t, []string{"en", "pt"}, g.Locales())
	assert.Equal(t, "Aparelho", g.Manifest().Title.Pick("pt"))
	assert.Equal(t, []string{"gadget__tech", "gadget__data"}, g.Type().Categories)
	assert.Equal(t, []string{"blank", "tech__wheel", "heart"}, g.ElementIDs())
	data, _ := g.Category("gadget__data")
	assert.Equal(t, taxonomy.Circle, data.Shape)
	assert.Equal(t, "O que recolhe por {{days}}", data.Description.Pick("pt"))
	assert.Equal(t, "Dias", data.Variables[0].Label.Pick("pt"))
	assert.True(t, data.Variables[0].Required)
	assert.Equal(t, "Você", data.Context.Values[0].Label.Pick("pt"))
	heart, _ := g.Element("heart")
	assert.Equal(t, taxonomy.Localized{{Locale: "en", Value: "Heart for {{days}}, not {this}"}, {Locale: "pt", Value: "Coração por {{days}}"}}, heart.Title)
	assert.Equal(t, "heart", heart.SymbolID)
	wheel, _ := g.Element("tech__wheel")
	assert.Equal(t, "wheel", wheel.SymbolID)
	blank, _ := g.Element("blank")
	assert.Equal(t, "no_symbol", blank.SymbolID)

	all := strings.Join(lines(r.Notes), "\n")
	for _, want := range []string{
		"dropped content/toys/elements/en/data__heart.md  (): the text after the front matter has no place in the format",
		"lost content/toys/elements/en/tech__broken.md  (): has no front matter",
		"filled content/toys/elements/en/tech__wheel.md:2:1  (tech__wheel): there is no id",
		"dropped content/toys/elements/pt/data__heart.md:2:1 category (): category differs from that in en, which counts",
		"dropped content/toys/categories/pt/gadget__data.md:6:1 order (3): order differs from that in en, which counts",
		"dropped content/toys/categories/pt/gadget__data.md:10:5 element_variables[1] (more): an item of element_variables is only in this locale",
		"dropped content/toys/categories/en/gadget__data.md:11:5 element_variables[0].default (): default is not imported",
		"filled content/toys/categories/en/gadget__tech.md:2:1  (gadget__tech: hexagon): the category has no shape",
		"filled content/toys/elements/en/tech__blank.md:2:1  (blank): the element has no symbol, so it is a dot",
		"dropped content/toys/elements/en/data__heart.md:10:1 icon (): icon is not imported: icons are drawn from the symbol and the shape",
		"dropped content/toys/elements/en/data__heart.md:12:1 updated_at (): updated_at is not imported",
	} {
		assert.Contains(t, all, want)
	}
}

// TestPublicTree imports a tree with two generations side by side, of which the older one
// names no datachain type.
func TestPublicTree(t *testing.T) {
	t.Parallel()
	tree := files(`
-- content/toys.v0/categories/en/data.md --
---
id: data
name: Data
---
-- content/toys.v0/elements/en/heart.md --
---
id: heart
category: [data]
name: Heart
description: Beats
icon: /toy-icons/heart.svg
---
-- content/toys.v0/elements/en/stray.md --
---
id: stray
category: [nowhere]
name: Stray
description: Lost
---
-- content/toys.v1/categories/en/gadget__data.md --
---
id: gadget__data
datachain_type: gadget
name: Data
---
-- content/toys.v1/elements/en/heart.md --
---
id: heart
category: [gadget__data]
name: Heart
description: Beats
icon: /toy-icons/heart.svg
---
-- public/toy-icons/symbols/heart.svg --
DRAWING
`)
	r, err := dtpr.Import(tree, &dtpr.Options{Date: "2025-08-29", Status: taxonomy.Stable})
	require.NoError(t, err)
	var ids []string
	for _, v := range r.Versions {
		ids = append(ids, v.ID.String())
	}
	require.Equal(t, []string{"gadget@2025-08-29-stable", "toys_v0@2025-08-29-stable"}, ids)
	require.Equal(t, []string{"lost content/toys.v0/elements/en/stray.md:2:1  (stray): the element has no category that exists"}, lines(r.Notes[:1]))
	require.NotEqual(t, dtpr.Lost, r.Notes[1].Kind)

	r, err = dtpr.Import(tree, &dtpr.Options{Date: "2025-08-29", Type: "device"})
	require.NoError(t, err)
	require.Equal(t, "device@2025-08-29-beta", r.Versions[0].ID.String())
}
