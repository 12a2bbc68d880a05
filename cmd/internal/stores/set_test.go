package stores_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

func openSamples(t *testing.T) *stores.Set {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return stores.NewSet(store)
}

// TestHint says where an unknown version is, as far as that is known.
func TestHint(t *testing.T) {
	t.Parallel()
	set := openSamples(t)
	for _, tt := range []struct {
		from        stores.Location
		flag, wants string
	}{
		{stores.Location{By: "--store"}, "", "use ai@latest"},
		{stores.Location{By: "--store"}, "--samples", "use ai@latest, or use --samples, which has ai@next"},
		{stores.Location{Samples: true}, "", "use ai@latest, or name the taxonomies that have it with --schemas, --store or datachain.yaml; only the built-in samples were searched"},
		{stores.Location{Schemas: "."}, "", "use ai@latest, or use --schemas or --store to name the taxonomies that have it"},
	} {
		set.From, set.Elsewhere = tt.from, func(taxonomy.Ref) string { return tt.flag }
		require.Equal(t, tt.wants, set.Hint("use ai@latest", "ai@next"))
	}
	_, err := set.Open(t.Context(), "ai@next")
	require.ErrorContains(t, stores.Readable(err), "There is no schema version ai@next.\nHint: use ")
}

// TestRelease opens one version, and several each once.
func TestRelease(t *testing.T) {
	t.Parallel()
	set := openSamples(t)
	_, err := set.Release(t.Context(), "")
	require.ErrorIs(t, err, stores.ErrSeveral)
	require.EqualError(t, err, "choose one, such as ai@latest, sensor@latest")
	r, err := set.Release(t.Context(), "ai@latest")
	require.NoError(t, err)
	require.Equal(t, "ai", r.Version().Type())
	list, err := set.Each(t.Context(), []string{"ai@latest", r.Version().String(), "sensor@latest"}, nil)
	require.NoError(t, err)
	require.Len(t, list, 2)
	list, err = set.Each(t.Context(), nil, set.Latest)
	require.NoError(t, err)
	require.Len(t, list, 2)
}

// TestReport validates documents against the version that they pin, or another one.
func TestReport(t *testing.T) {
	t.Parallel()
	set := openSamples(t)
	for _, e := range documents.Valid() {
		for _, version := range []string{"", "sensor@latest"} {
			validate, err := set.Validator(t.Context(), version, new(datachain.ValidateOptions))
			require.NoError(t, err)
			v, err := validate(t.Context(), e.Text)
			f := set.Report(inputs.Input{Name: e.Name}, e.Text, v, err, false)
			require.NoError(t, f.Err)
			require.Equal(t, map[bool]string{false: "thin", true: "resolved"}[e.Resolved()], f.Kind)
			if version == "" {
				require.Empty(t, f.Findings, e.Name)
			}
		}
	}
	validate, err := set.Validator(t.Context(), "", new(datachain.ValidateOptions))
	require.NoError(t, err)
	v, err := validate(t.Context(), []byte("{"))
	f := set.Report(inputs.Input{Name: "x.json"}, []byte("{"), v, err, false)
	require.NoError(t, f.Err)
	require.Len(t, f.Findings, 1, "text that is not JSON is a finding")
}

// TestEvolve proposes what became of ids.
func TestEvolve(t *testing.T) {
	t.Parallel()
	set := openSamples(t)
	types, err := set.Evolve(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, types, 2)
	require.Less(t, types[0].Versions[0].Date(), types[0].Versions[1].Date())
	types, err = set.Evolve(t.Context(), "sensor")
	require.NoError(t, err)
	require.Len(t, types, 1)
	_, err = set.Evolve(t.Context(), "bikes")
	require.EqualError(t, err, "there is no datachain type bikes here: use ai or sensor")
}
