package export_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	samples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/register/export"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestCompare(t *testing.T) {
	sample, ok := samples.Find("air-station.json")
	require.True(t, ok)
	text := string(sample.Text)
	present := func(text string) *datachain.Presentation {
		v, p, err := registertest.Service(t).Present(t.Context(), []byte(text))
		require.NoError(t, err)
		require.True(t, v.OK(), "%v", v.Issues)
		return p
	}
	before := present(text)
	assert.Empty(t, export.Compare(before, before))
	for _, c := range []struct {
		name, from, to string
		want           []string
	}{
		{"the object register", `"elements": [`, `"register": {"status": "trial", "themes": ["Air"]}, "elements": [`, []string{
			"Added register.status: trial", `Added register.themes: ["Air"]`,
		}},
		{"the title", "Air on the market square", "Air at the market", []string{"Changed title: Air on the market square → Air at the market"}},
		{"a placement", `"elements": [`, `"elements": [{"element_id": "purpose.traffic"},`, []string{"Added Traffic and travel"}},
		{"a context", `"always_on"`, `"set_hours"`, []string{"Changed Air and weather station, context: Always on → At set times"}},
		{"options", `["air_quality", "weather"]`, `["weather"]`, []string{"Changed Measurements of the surroundings, What is measured: air quality, temperature and weather → temperature and weather"}},
		{"a text", "Town of Lindenau", "City of Lindenau", []string{"Changed Organisation in charge, Name of the organisation: Town of Lindenau → City of Lindenau"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, text, c.from)
			after := present(strings.Replace(text, c.from, c.to, 1))
			var words []string
			for _, change := range export.Compare(before, after) {
				words = append(words, change.Words("en"))
			}
			assert.Equal(t, c.want, words)
			var back []string
			for _, change := range export.Compare(after, before) {
				back = append(back, change.Words("en"))
			}
			assert.Len(t, back, len(words))
		})
	}
}

// TestCompareKnowsTheFields changes each field of a document and of a placement.
func TestCompareKnowsTheFields(t *testing.T) {
	leftOut := []string{
		"Instance.id", "Instance.created_at", "Instance.updated_at", "Instance.instance_version", "Instance.authoring_provenance",
		"Placement.priority", "Placement.subchain_instance_id",
	}
	sample, ok := samples.Find("air-station.json")
	require.True(t, ok)
	_, before, err := registertest.Service(t).Present(t.Context(), sample.Text)
	require.NoError(t, err)
	for _, of := range []reflect.Type{reflect.TypeFor[taxonomy.Instance](), reflect.TypeFor[taxonomy.Placement]()} {
		list, _ := jsonfields.Of(of)
		for _, f := range list {
			after, chain := *before, *before.Datachain
			after.Datachain = &chain
			chain.Elements = slices.Clone(chain.Elements)
			changed := reflect.ValueOf(&chain.Instance).Elem()
			if of == reflect.TypeFor[taxonomy.Placement]() {
				changed = reflect.ValueOf(&chain.Elements[0]).Elem()
			}
			changed.FieldByIndex(f.Index).Set(other(f.Type))
			name := of.Name() + "." + f.Name
			assert.Equal(t, !slices.Contains(leftOut, name), len(export.Compare(before, &after)) > 0,
				"compare %s in register/export/compare.go, or list it here", name)
		}
	}
}

// other returns a value that a sample does not have.
func other(of reflect.Type) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.String:
		v.SetString("other")
	case reflect.Int:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(of.Elem()))
		v.Elem().Set(other(of.Elem()))
	case reflect.Slice:
		v.Set(reflect.Append(v, other(of.Elem())))
	case reflect.Struct:
		for _, field := range v.Fields() {
			field.Set(other(field.Type()))
		}
	}
	return v
}
