package stores_test

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	samples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	documents "github.com/datachain-go/datachain/register/rest"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
)

func sampleService(t *testing.T) *datachain.Service {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	return service
}

// openDocuments opens the documents in a directory, or those of another register.
func openDocuments(at string, o *stores.Options) (register.Origin, error) {
	origins, err := stores.OpenDocuments("", []string{at}, o)
	if err != nil {
		return nil, err
	}
	return origins[0], nil
}

func openRegister(t *testing.T, origin register.Origin) *register.Register {
	t.Helper()
	r, err := register.New(sampleService(t), []register.Origin{origin}, &register.Options{Refresh: 10 * time.Millisecond, Report: func(_ register.Origin, err error) { t.Log(err) }})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	return r
}

func copySample(t *testing.T, name, dir string) {
	t.Helper()
	sample, ok := samples.Find(name)
	require.True(t, ok)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), sample.Text, 0o600))
}

// eventually waits until a register is as it should be.
func eventually(t *testing.T, is func() bool) {
	t.Helper()
	require.Eventually(t, is, time.Minute, 5*time.Millisecond)
}

// TestMirror mirrors a published register while it changes.
func TestMirror(t *testing.T) {
	dir, target, ctx := t.TempDir(), new(targettest.Memory), t.Context()
	publish := func() {
		origin, err := openDocuments(dir, new(stores.Options))
		require.NoError(t, err)
		_, err = publishing.Documents(ctx, target, openRegister(t, origin), nil)
		require.NoError(t, err)
	}
	copySample(t, "air-station.json", dir)
	copySample(t, "wifi-counter.json", dir)
	publish()
	original := openRegister(t, register.Stored("target", publishing.TargetFiles(target), nil))
	api, err := httpapi.New(sampleService(t), &httpapi.Options{Routes: documents.Routes(original)})
	require.NoError(t, err)
	server := httptest.NewServer(api)
	defer server.Close()

	origin, err := openDocuments(server.URL, new(stores.Options))
	require.NoError(t, err)
	mirror := openRegister(t, origin)
	require.Len(t, mirror.State().Documents(), 2)
	same := func() bool {
		a, b := original.State().Documents(), mirror.State().Documents()
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i].Slug != b[i].Slug || a[i].ID != b[i].ID || a[i].Current != b[i].Current || a[i].Removed() != b[i].Removed() || len(a[i].Editions) != len(b[i].Editions) {
				return false
			}
		}
		return true
	}
	assert.True(t, same())
	for _, d := range mirror.State().Documents() {
		for _, form := range []register.TextKind{register.Thin, register.Resolved} {
			want, err := original.Text(ctx, d, d.Current, form)
			require.NoError(t, err)
			got, err := mirror.Text(ctx, d, d.Current, form)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got))
		}
	}

	copySample(t, "benefits.json", dir)
	publish()
	eventually(t, func() bool { return len(mirror.State().Documents()) == 3 && same() })
	_, err = publishing.Withdraw(ctx, target, "market-square-air", "It was removed")
	require.NoError(t, err)
	eventually(t, func() bool { d, _ := mirror.State().Document("market-square-air"); return d.Withdrawn != nil && same() })
	_, err = publishing.Erase(ctx, target, "housing-benefit-check", taxonomy.Hash{}, "A name")
	require.NoError(t, err)
	eventually(t, func() bool { d, _ := mirror.State().Document("housing-benefit-check"); return d.Removed() })
	d, _ := mirror.State().Document("housing-benefit-check")
	assert.Equal(t, "A name", d.Editions[0].Erased.Reason)
	assert.Empty(t, d.Title)
	_, err = mirror.Text(ctx, d, d.Current, register.Thin)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)

	// Of an earlier edition, only the text is erased: the mirror deletes its copy.
	text, err := os.ReadFile(filepath.Join(dir, "wifi-counter.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "wifi-counter.json"), bytes.Replace(text, []byte(`"id": "`), []byte(`"instance_version": "2", "id": "`), 1), 0o600))
	publish()
	slug := "library-wifi-counter"
	eventually(t, func() bool { d, _ := mirror.State().Document(slug); return len(d.Editions) == 2 && same() })
	d, _ = mirror.State().Document(slug)
	old := d.Editions[1].Hash
	_, err = mirror.Text(ctx, d, old, register.Thin)
	require.NoError(t, err)
	_, err = publishing.Erase(ctx, target, slug, old, "Another name")
	require.NoError(t, err)
	eventually(t, func() bool { d, _ := mirror.State().Document(slug); return d.Editions[1].Erased != nil })
	d, _ = mirror.State().Document(slug)
	assert.False(t, d.Removed())
	_, err = mirror.Text(ctx, d, old, register.Thin)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)

	// What was read remains while the other register is away.
	server.Close()
	d, _ = mirror.State().Document("market-square-air")
	_, err = mirror.Text(ctx, d, d.Current, register.Thin)
	require.NoError(t, err)
}

func TestRegisterSettings(t *testing.T) {
	dir := t.TempDir()
	copySample(t, "air-station.json", dir)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("logo.svg", "<svg/>")
	write("register.yaml", `
title: {fr: Systèmes, en: Systems}
url: https://register.example.org/
publisher: {name: {en: City of Lindenau}, contact: {phone: 03611234}, logo: logo.svg}
languages: [en, fr]
licence: {name: CC BY 4.0}
accessibility: https://lindenau.example/a11y
roles:
  ai: {categories: {purpose: purpose}, contexts: {input_data: {order: rising}}}
`)
	open := func() *register.Register {
		origin, err := openDocuments(dir, new(stores.Options))
		require.NoError(t, err)
		return openRegister(t, origin)
	}
	check := func(s *register.Settings) {
		t.Helper()
		assert.Equal(t, taxonomy.Localized{{Locale: "en", Value: "Systems"}, {Locale: "fr", Value: "Systèmes"}}, s.Title)
		assert.Equal(t, "https://register.example.org", s.URL)
		assert.Equal(t, "03611234", s.Publisher.Contact.Phone)
		assert.Equal(t, "<svg/>", string(s.Publisher.Logo))
		assert.Equal(t, taxonomy.Role("purpose"), s.Roles["ai"].Categories["purpose"])
	}
	r := open()
	require.Empty(t, r.State().Refused())
	check(r.State().Settings())
	target := new(targettest.Memory)
	for range 2 {
		report, err := publishing.Documents(t.Context(), target, r, nil)
		require.NoError(t, err)
		assert.EqualValues(t, 1, report.Sequence)
	}
	stored := openRegister(t, register.Stored("target", publishing.TargetFiles(target), nil))
	check(stored.State().Settings())

	// A mistake keeps the last good settings, and is reported.
	tag := r.State().Tag()
	write("register.yaml", "title: {en: Other}\n")
	eventually(t, func() bool { return r.State().Settings().Title.Pick("en") == "Other" })
	assert.NotEqual(t, tag, r.State().Tag())
	for _, wrong := range []string{"titel: {en: A}", "publisher: {logo: ../secret.svg}", "url: register", "title: [", "publisher: {logo: logo.exe}", "publisher: {logo: missing.svg}", "boundary: town.geojson"} {
		write("register.yaml", wrong+"\n")
		eventually(t, func() bool { return len(r.State().Refused()) == 1 })
		assert.Equal(t, "Other", r.State().Settings().Title.Pick("en"))
		write("register.yaml", "title: {en: Other}\n")
		eventually(t, func() bool { return len(r.State().Refused()) == 0 })
	}
}
