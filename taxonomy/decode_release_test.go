package taxonomy_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

var regexpHash = regexp.MustCompile(`"content_hash": *"[^"]*"`)

func TestDecodeReleaseRoundTrip(t *testing.T) {
	for _, r := range []*taxonomy.Release{release(t), largeRelease(t, 1), largeRelease(t, 300)} {
		text := releaseJSON(t, r)
		again, err := taxonomy.DecodeRelease(text, symbols(r))
		require.NoError(t, err)
		require.Equal(t, string(text), string(releaseJSON(t, again)))
		require.Equal(t, r.ContentHash(), again.ContentHash())
		require.Empty(t, cmp.Diff(r.Elements(), again.Elements()))
		require.Empty(t, cmp.Diff(r.Categories(), again.Categories()))
		require.Empty(t, cmp.Diff(r.Type(), again.Type()))
		require.Empty(t, cmp.Diff(r.Manifest(), again.Manifest(), cmp.Comparer(func(a, b taxonomy.Version) bool { return a == b })))
	}
}

// The order of keys, white space and escapes do not matter.
func TestDecodeReleaseInAnySpelling(t *testing.T) {
	r := release(t)
	text := releaseJSON(t, r)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		doc, err := document.Parse(text)
		require.NoError(t, err)
		var b strings.Builder
		respell(&b, doc.Root(), random)
		again, err := taxonomy.DecodeRelease([]byte(b.String()), symbols(r))
		require.NoError(t, err, b.String())
		require.Equal(t, string(text), string(releaseJSON(t, again)))
		require.Empty(t, cmp.Diff(r.Elements(), again.Elements()))
	}
}

// respell writes a value with its keys shuffled, and random spaces and escapes.
func respell(b *strings.Builder, v document.Value, random *rand.Rand) {
	space := func() { b.WriteString([]string{"", "", "", " ", "\n\t", "\r\n"}[random.IntN(6)]) }
	str := func(s string) {
		b.WriteByte('"')
		for _, c := range s {
			if c < ' ' || c == '"' || c == '\\' || c < 0x10000 && random.IntN(5) == 0 {
				fmt.Fprintf(b, `\u%04X`, c)
			} else {
				b.WriteRune(c)
			}
		}
		b.WriteByte('"')
	}
	space()
	switch v.Kind() {
	case '"':
		str(v.Text())
	case '{', '[':
		var children []document.Value
		for m := range v.All() {
			children = append(children, m)
		}
		if v.Kind() == '{' {
			random.Shuffle(len(children), func(i, k int) { children[i], children[k] = children[k], children[i] })
		}
		b.WriteByte(v.Kind())
		for i, child := range children {
			if i > 0 {
				b.WriteByte(',')
			}
			if v.Kind() == '{' {
				space()
				str(child.Key())
				space()
				b.WriteByte(':')
			}
			respell(b, child, random)
		}
		space()
		b.WriteByte(v.Kind() + 2) // the closing bracket
	default:
		b.Write(v.Raw())
	}
	space()
}

// Unknown fields are kept and hashed.
func TestDecodeReleaseKeepsUnknownFields(t *testing.T) {
	r := release(t)
	base := string(releaseJSON(t, r))
	for name, c := range map[string]struct{ old, new string }{
		"manifest":        {`"status":"beta",`, `"status":"beta","unknown":{"b":1,"a":[null]},`},
		"type":            {`"x_type":`, `"unknown":1,"x_type":`},
		"subchain":        {`"subchains":[{`, `"subchains":[{"a":1,`},
		"category":        {`"shape":"octagon"`, `"shape":"octagon","unknown":"x"`},
		"context":         {`"required":true,"values":[{`, `"required":true,"unknown":0.5,"values":[{`},
		"context value":   {`"values":[{`, `"values":[{"a":[],`},
		"element":         {`"x_element":"kept"`, `"unknown":{"x":[1,2,{"y":"é"}]},"x_element":"kept"`},
		"element first":   {`{"authoring_guidance":`, `{"":1,"authoring_guidance":`},
		"text":            {`{"locale":"en","value":"Comfort"}`, `{"locale":"en","value":"Comfort","x":true}`},
		"variable":        {`"variables":[{"id":"retention",`, `"variables":[{"aa":1,"id":"retention",`},
		"option":          {`"options":[{`, `"options":[{"a":1e-7,`},
		"source":          {`"sources":[{`, `"sources":[{"a":1,`},
		"element non-int": {`"order":1,`, `"ordered":1.5,"order":1,`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, base, c.old)
			changed := strings.Replace(base, c.old, c.new, 1)
			_, err := taxonomy.DecodeRelease([]byte(changed), symbols(r))
			require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
			text := resign(t, changed, symbols(r))
			again, err := taxonomy.DecodeRelease(text, symbols(r))
			require.NoError(t, err)
			canonical, err := document.Canonical(text)
			require.NoError(t, err)
			require.Equal(t, string(canonical), string(releaseJSON(t, again)))
			require.NotEqual(t, r.ContentHash(), again.ContentHash())
		})
	}
}

// Symbols are in a member of the text or passed separately, not both.
func TestDecodeReleaseSymbols(t *testing.T) {
	r := release(t)
	base := string(releaseJSON(t, r))
	inline, err := json.Marshal(symbols(r))
	require.NoError(t, err)
	text := strings.TrimSuffix(base, "}") + `,"symbols":` + string(inline) + "}"
	for _, beside := range []map[string]string{nil, {"shield": "another"}} {
		again, err := taxonomy.DecodeRelease([]byte(text), beside)
		require.NoError(t, err)
		require.Equal(t, symbols(r), symbols(again))
		require.Equal(t, base, string(releaseJSON(t, again)))
	}
	for id, other := range map[string]string{"shield": svg + " ", "unused": "", "more": "<svg/>"} {
		changed := symbols(r)
		changed[id] = other
		_, err := taxonomy.DecodeRelease([]byte(base), changed)
		require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
	}
}

// A release without symbols is another one than that with its symbols.
func TestDecodeReleaseWithoutSymbols(t *testing.T) {
	c := content()
	c.Symbols = nil
	for i := range c.Elements {
		c.Elements[i].IconVariants = nil // those of the category
	}
	r, err := taxonomy.NewRelease(beta, c)
	require.NoError(t, err)
	again, err := taxonomy.DecodeRelease(releaseJSON(t, r), nil)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(release(t).Elements(), again.Elements()))

	_, err = taxonomy.DecodeRelease(releaseJSON(t, release(t)), nil)
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
	require.ErrorContains(t, err, "without symbols, the content has")
}

func TestDecodeReleaseRefuses(t *testing.T) {
	r := release(t)
	base := string(releaseJSON(t, r))
	image := r.ElementJSON("image")
	swap := func(from, to string) string {
		require.Contains(t, base, from)
		return strings.Replace(base, from, to, 1)
	}
	member := func(m string) string { return strings.TrimSuffix(base, "}") + "," + m + "}" }
	without := func(key string) string {
		var wire map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(base), &wire))
		delete(wire, key)
		text, err := json.Marshal(wire)
		require.NoError(t, err)
		return string(text)
	}
	for name, c := range map[string]struct{ text, path, reason string }{
		"nothing":                 {"", "", "the text is empty"},
		"no object":               {"[]", "", "must be an object"},
		"cut":                     {base[:len(base)/2], "elements[0]", "the text ends"},
		"trailing":                {base + "{}", "", "more text"},
		"trailing letter":         {base + " x", "", "more text"},
		"trailing comma":          {base + ",", "", "more text"},
		"trailing NUL":            {base + "\x00", "", "more text"},
		"BOM":                     {"\uFEFF" + base, "", "byte order mark"},
		"unknown key":             {member(`"extra":1`), "extra", "unknown key"},
		"key twice":               {member(`"elements":[]`), "", "appears twice"},
		"key twice, escaped":      {member(`"element\u0073":[]`), "", "appears twice"},
		"no manifest":             {without("manifest"), "manifest", "missing"},
		"no type":                 {without("datachain_type"), "datachain_type", "missing"},
		"no categories":           {without("categories"), "categories", "missing"},
		"no elements":             {without("elements"), "elements", "missing"},
		"symbols null":            {member(`"symbols":null`), "symbols", "must be an object"},
		"symbols list":            {member(`"symbols":[]`), "symbols", "must be an object"},
		"symbols numbers":         {member(`"symbols":{"shield":1}`), "symbols", ""},
		"symbols twice":           {member(`"symbols":{"shield":"a","shield":"b"}`), "symbols", ""},
		"symbols empty":           {member(`"symbols":{}`), "elements[0].symbol_id", `symbol "shield" is missing`},
		"symbol id":               {member(`"symbols":{"a/b":""}`), `symbols["a/b"]`, "malformed symbol id"},
		"elements null":           {strings.Replace(base, image, "null", 1), "elements[2]", "must be an object"},
		"elements no list":        {`{"categories":[],"datachain_type":{},"elements":{},"manifest":{}}`, "elements", "must be an array"},
		"categories no list":      {`{"categories":null}`, "categories", "must be an array"},
		"category null":           {`{"categories":[null],"datachain_type":{},"elements":[],"manifest":{}}`, "categories[0]", "must be an object"},
		"manifest null":           {`{"categories":[],"datachain_type":{},"elements":[],"manifest":null}`, "manifest", "must be an object"},
		"manifest empty":          {`{"categories":[],"datachain_type":{},"elements":[],"manifest":{}}`, "manifest.id", "missing"},
		"manifest id alias":       {swap(`"id":"ai@2026-09-01-beta"`, `"id":"ai@latest"`), "manifest.id", "malformed schema version"},
		"manifest id number":      {swap(`"id":"ai@2026-09-01-beta"`, `"id":1`), "manifest.id", "must be a string"},
		"manifest status":         {swap(`"status":"beta"`, `"status":"stable"`), "manifest.status", "does not match"},
		"manifest hash":           {swap(`"content_hash":"sha256-`, `"content_hash":"`), "manifest.content_hash", "malformed content hash"},
		"manifest no hash":        {swap(`"content_hash":"`+r.ContentHash().String()+`",`, ``), "manifest.content_hash", "does not match"},
		"manifest locales":        {swap(`"locales":["en","fr","es"]`, `"locales":[]`), "manifest.locales", "at least one"},
		"manifest locale":         {swap(`"locales":["en","fr","es"]`, `"locales":["en",{}]`), "manifest.locales[1]", "must be a string"},
		"manifest field twice":    {swap(`"locales":[`, `"locales":[],"locales":[`), "manifest", "appears twice"},
		"type id":                 {swap(`"id":"ai","name"`, `"id":"robot","name"`), "datachain_type.id", "does not match"},
		"type categories":         {swap(`"categories":["before",`, `"categories":[`), "datachain_type.categories", "differs"},
		"type category order":     {swap(`["before","purpose"`, `["purpose","before"`), "datachain_type.categories", "differs"},
		"subchain category":       {swap(`"subchains":[{"categories":["purpose"]`, `"subchains":[{"categories":["purpose","no"]`), "datachain_type.subchains[0].categories[1]", `unknown category "no"`},
		"category id":             {swap(`"id":"after","name"`, `"id":"af ter","name"`), "categories[4].id", "malformed category id"},
		"category twice":          {swap(`"id":"after","name"`, `"id":"before","name"`), "categories[4].id", "duplicate"},
		"category shape":          {swap(`"shape":"octagon"`, `"shape":"triangle"`), "categories[0].shape", `unknown shape "triangle"`},
		"category shape type":     {swap(`"shape":"octagon"`, `"shape":["octagon"]`), "categories[0].shape", "must be a string"},
		"category cardinality":    {swap(`"max":4`, `"max":4.5`), "categories[1].cardinality.max", ""},
		"category lone surrogate": {swap(`"value":"Before"`, `"value":"\udc00"`), "categories[0].name[0]", "surrogate"},
		"category number":         {swap(`"x_category":[1,2]`, `"x_category":[1,1e999]`), "categories[1].x_category[1]", "beyond"},
		"context value reserved":  {swap(`"id":"tagged"`, `"id":"dark"`), "categories[3].context.values[1].id", "duplicate icon variant dark"},
		"context value twice":     {swap(`"id":"tagged"`, `"id":"anonymous"`), "categories[3].context.values[1].id", "duplicate icon variant anonymous"},
		"context value id":        {swap(`"id":"tagged"`, `"id":"a.b"`), "categories[3].context.values[1].id", "malformed context value id"},
		"element id":              {swap(`"id":"image"`, `"id":"i.m.age"`), "elements[2].id", "malformed element id"},
		"element twice":           {swap(`"id":"purpose.comfort"`, `"id":"purpose.safety"`), "elements[1].id", "duplicate"},
		"element category":        {swap(`"category_id":"data"`, `"category_id":"dta"`), "elements[2].category_id", `unknown category "dta"`},
		"element symbol":          {swap(`"symbol_id":"camera"`, `"symbol_id":"cam"`), "elements[2].symbol_id", `symbol "cam" is missing`},
		"element variants":        {swap(`"icon_variants":["default","dark","anonymous","tagged"]`, `"icon_variants":["default","dark","tagged","anonymous"]`), "elements[2].icon_variants", "must be"},
		"element variants less":   {swap(`"icon_variants":["default","dark"]`, `"icon_variants":["default"]`), "elements[0].icon_variants", "must be"},
		"element title":           {swap(`{"locale":"en","value":"Comfort"}`, `{"locale":"en","value":7}`), "elements[1].title[0].value", "must be a string"},
		"element title object":    {swap(`[{"locale":"en","value":"Comfort"}]`, `{"en":"Comfort"}`), "elements[1].title", "must be an array"},
		"element order type":      {swap(`"order":1`, `"order":"1"`), "elements[1].order", "must be an integer"},
		"element order fraction":  {swap(`"order":1`, `"order":1.5`), "elements[1].order", ""},
		"element order beyond":    {swap(`"order":1`, `"order":9007199254740992`), "elements[1].order", "beyond"},
		"element sources":         {swap(`"sources":[{`, `"sources":[7,{`), "elements[0].sources[0]", "must be an object"},
		"element variables":       {swap(`"variables":[]`, `"variables":[{"id":1}]`), "elements[2].variables[0].id", "must be a string"},
		"element extra number":    {swap(`"x_element":"kept"`, `"x_element":9007199254740992`), "elements[0].x_element", "beyond"},
		"element nested number":   {swap(`"variables":[]`, `"variables":[{"x":1e300}]`), "elements[2].variables[0].x", "beyond"},
		"element too deep":        {swap(`"x_element":"kept"`, `"x_element":`+nested(64)), "elements[0].x_element" + strings.Repeat("[0]", 62), "deeper"},
		"element field twice":     {swap(`"id":"image"`, `"id":"image","id":"image"`), "elements[2]", "appears twice"},
		"element invalid UTF-8":   {swap(`"value":"Pictures"`, "\"value\":\"Pictures\xff\""), "elements[2].description[0]", "UTF-8"},
		"element text no string":  {swap(`"id":"image"`, `"id":null`), "elements[2].id", "must be a string"},
		"elements: category late": {strings.Replace(strings.Replace(base, ","+image, "", 1), `"elements":[`, `"elements":[`+image+",", 1), "elements[1]", "is out of order"},
		"elements: order":         {swap(`"order":1`, `"order":-1`), "elements[1]", "is out of order"},
		"elements: id order":      {swap(`"order":1,`, ``), "elements[1]", "is out of order"},
		"hash":                    {swap(`Pictures`, `pictures`), "manifest.content_hash", "does not match its hash"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := taxonomy.DecodeRelease([]byte(c.text), symbols(r))
			require.Nil(t, got)
			var bad *taxonomy.ReleaseError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, c.path, bad.Path.String(), "%v", err)
			require.ErrorContains(t, err, c.reason)
		})
	}
}

// The tree does not depend on the order of elements, so another order is refused.
func TestDecodeReleaseOrder(t *testing.T) {
	r := largeRelease(t, 60)
	a, b := r.Elements()[0].ID, r.Elements()[1].ID
	swapped := strings.Replace(string(releaseJSON(t, r)),
		r.ElementJSON(a)+","+r.ElementJSON(b), r.ElementJSON(b)+","+r.ElementJSON(a), 1)
	_, err := taxonomy.DecodeRelease([]byte(swapped), symbols(r))
	require.ErrorContains(t, err, "elements[1]: element "+a+" is out of order")
}

// The error is that of the first wrong element, on any number of CPUs.
func TestDecodeReleaseNamesTheFirst(t *testing.T) {
	r := largeRelease(t, 900)
	text := string(releaseJSON(t, r))
	for _, i := range []int{880, 500, 300} {
		old := `"id":"` + r.Elements()[i].ID + `"`
		text = strings.Replace(text, old, `"id":0`, 1)
		_, err := taxonomy.DecodeRelease([]byte(text), symbols(r))
		require.ErrorContains(t, err, fmt.Sprintf("release ai@2026-09-01-beta: elements[%d].id: must be a string", i))
	}
}

func TestNewReleaseRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(c *taxonomy.Content)
		path   string
	}{
		"title not UTF-8":     {func(c *taxonomy.Content) { c.Title = en("\xff") }, "manifest"},
		"type extra":          {func(c *taxonomy.Content) { c.Type.Extra = taxonomy.Extra{"x": []byte("{")} }, "datachain_type"},
		"type extra twice":    {func(c *taxonomy.Content) { c.Type.Extra = taxonomy.Extra{"id": []byte("1")} }, "datachain_type"},
		"category not UTF-8":  {func(c *taxonomy.Content) { c.Categories[1].Prompt = en("\xff") }, "categories[1]"},
		"element extra":       {func(c *taxonomy.Content) { c.Elements[2].Extra = taxonomy.Extra{"x": []byte("nope")} }, "elements[2]"},
		"element order":       {func(c *taxonomy.Content) { c.Elements[1].Order = 1 << 53 }, "elements[1].order"},
		"element unknown":     {func(c *taxonomy.Content) { c.Elements[0].CategoryID = "" }, "elements[0].category_id"},
		"symbol not UTF-8":    {func(c *taxonomy.Content) { c.Symbols["unused"] = "\xff" }, "symbols.unused"},
		"symbol id":           {func(c *taxonomy.Content) { c.Symbols["../x"] = "" }, `symbols["../x"]`},
		"no locales":          {func(c *taxonomy.Content) { c.Locales = nil }, "manifest.locales"},
		"category not listed": {func(c *taxonomy.Content) { c.Type.Categories = c.Type.Categories[1:] }, "datachain_type.categories"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := content()
			c.change(&changed)
			_, err := taxonomy.NewRelease(beta, changed)
			var bad *taxonomy.ReleaseError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, c.path, bad.Path.String(), "%v", err)
			require.Equal(t, beta.String(), bad.Version)
		})
	}
	_, err := taxonomy.NewRelease(taxonomy.Version{}, content())
	require.ErrorContains(t, err, "manifest.id")
	_, err = taxonomy.NewRelease(taxonomy.MustVersion("sensor@2026-09-01-beta"), content())
	require.ErrorContains(t, err, "datachain_type.id")
}

// oneElement is a release.json with one element.
func oneElement(text string) string {
	return `{"manifest":{"id":"ai@2026-09-01-beta","status":"beta","content_hash":"","locales":["en"]},
		"datachain_type":{"id":"ai","categories":["c"]},
		"categories":[{"id":"c","shape":"circle"}],"elements":[` + text + `]}`
}
