package register_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	samples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// live opens a directory and looks at it all the time, and at a target if there is one.
func live(t *testing.T, dir string, target *targettest.Memory) *register.Register {
	t.Helper()
	origin, err := register.OpenDirectory(dir, nil)
	require.NoError(t, err)
	origins := []register.Origin{origin}
	if target != nil {
		origins = append(origins, register.Stored("target", publishing.TargetFiles(target), nil))
	}
	r, err := register.New(registertest.Service(t), origins, &register.Options{Refresh: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	return r
}

// eventually waits until a state is as it should be, and returns it.
func eventually(t *testing.T, r *register.Register, is func(*register.State) bool) *register.State {
	t.Helper()
	require.Eventually(t, func() bool { return is(r.State()) }, time.Minute, time.Millisecond)
	return r.State()
}

func remove(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
}

func codesOf(s *register.State) (list []string) {
	for _, r := range s.Refused() {
		list = append(list, r.File+" "+string(r.Issues[0].Code))
	}
	return list
}

// TestRefusedShape shows that a file that names no schema version is refused with what is
// found when it is validated.
func TestRefusedShape(t *testing.T) {
	dir := t.TempDir()
	service := registertest.Service(t)
	want := make(map[string]issue.Issues)
	for i, text := range []string{`[]`, `null`, `"x"`, `3`, `{}`, `{"schema_version": 3}`, `{"id": "a", "schema_version": "ai@", "created_at": "2026-06-01T10:00Z", "elements": []}`} {
		name := strconv.Itoa(i) + ".json"
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		v, err := service.Validate(t.Context(), []byte(text), nil)
		require.NoError(t, err)
		want[name] = v.Errors()
	}
	assert.Equal(t, "The document must be an object, but is an array.", want["0.json"][0].Message)
	got := make(map[string]issue.Issues)
	for _, r := range registertest.OpenDir(t, dir).State().Refused() {
		got[r.File] = slices.Clone(r.Issues)
		for i := range r.Issues {
			got[r.File][i].Position = issue.Position{}
		}
	}
	assert.Equal(t, want, got)
}

// TestRefusedIDs shows that a document that is not published is named by its id, if it has one.
func TestRefusedIDs(t *testing.T) {
	dir := t.TempDir()
	want := make(map[string]string)
	for name, c := range map[string]struct{ id, text string }{
		"version.json":  {"version", `{"id": "version", "schema_version": "ai@2000-01-01-stable", "elements": []}`},
		"empty.json":    {"empty", `{"id": "empty", "schema_version": "ai@2026-10-01-stable", "elements": []}`},
		"register.json": {"register", `{"id": "register", "schema_version": "ai@2026-10-01-stable", "elements": [], "register": 1}`},
		"number.json":   {"", `{"id": 1, "elements": []}`},
		"none.json":     {"", `{"elements": []}`},
		"list.json":     {"", `[]`},
		"broken.json":   {"", `{"id": "broken"`},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(c.text), 0o666))
		want[name] = c.id
	}
	got := make(map[string]string)
	for _, r := range registertest.OpenDir(t, dir).State().Refused() {
		got[r.File] = r.ID
	}
	assert.Equal(t, want, got)
}

// TestRefusedSlug shows that the id of the document that has a slug is repeated as it is.
func TestRefusedSlug(t *testing.T) {
	dir := t.TempDir()
	registertest.Write(t, dir, "rain.json", "a%d", registertest.Monday, `"register": {"slug": "rain"},`)
	registertest.Write(t, dir, "wind.json", "wind", registertest.Monday, `"register": {"slug": "rain"},`)
	refused := registertest.OpenDir(t, dir).State().Refused()
	require.Len(t, refused, 1)
	require.Equal(t, "wind.json can't have the slug rain, because it belongs to the document a%d.", refused[0].Issues[0].Message)
}

// TestInvalid shows that the last good edition stays, and that others are not published.
func TestInvalid(t *testing.T) {
	dir := t.TempDir()
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	r := live(t, dir, nil)
	before := registertest.Find(t, r, "rain")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rain.json"), []byte(`{"id": "rain"`), 0o666))
	s := eventually(t, r, func(s *register.State) bool { return len(s.Refused()) == 1 })
	assert.Equal(t, []string{"rain.json bad_request"}, codesOf(s))
	assert.Equal(t, before.Current, registertest.Find(t, r, "rain").Current)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Tuesday, "")
	eventually(t, r, func(s *register.State) bool { return len(s.Refused()) == 0 })
	assert.NotEqual(t, before.Current, registertest.Find(t, r, "rain").Current, "a file changed: a new edition")
	events, reset := r.State().Changes(s.Sequence())
	assert.False(t, reset)
	require.NotEmpty(t, events)
	assert.Equal(t, register.Published, events[len(events)-1].Op)

	remove(t, dir, "rain.json")
	s = eventually(t, r, func(s *register.State) bool { return len(s.Documents()) == 0 })
	_, found := s.Document("rain")
	assert.False(t, found, "without history, it is not found")
}

// TestSeveralFiles shows what becomes of one id in several files.
func TestSeveralFiles(t *testing.T) {
	dir := t.TempDir()
	registertest.Write(t, dir, "a.json", "rain", registertest.Tuesday, "")
	registertest.Write(t, dir, "b.json", "rain", registertest.Monday, `"instance_version": "1",`)
	s := registertest.OpenDir(t, dir).State()
	require.Len(t, s.Documents(), 1)
	d := s.Documents()[0]
	assert.Len(t, d.Editions, 2)
	assert.Equal(t, registertest.Tuesday, d.UpdatedAt.Format(time.RFC3339), "the newest is current")

	// The same time with other content: none, unless one is published.
	registertest.Write(t, dir, "b.json", "rain", registertest.Tuesday, `"instance_version": "1",`)
	s = registertest.OpenDir(t, dir).State()
	assert.Empty(t, s.Documents())
	assert.Equal(t, []string{"a.json REGISTER_CONFLICT"}, codesOf(s))
	assert.Contains(t, s.Refused()[0].Issues[0].Message, "a.json and b.json")

	target := new(targettest.Memory)
	remove(t, dir, "b.json")
	_, err := publishing.Documents(t.Context(), target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	registertest.Write(t, dir, "b.json", "rain", registertest.Tuesday, `"instance_version": "1",`)
	r := live(t, dir, target)
	assert.Equal(t, d.Current, registertest.Find(t, r, "rain").Current)
	assert.Len(t, r.State().Refused(), 1)

	// While the server runs, what it shows stays.
	other := t.TempDir()
	registertest.Write(t, other, "a.json", "rain", registertest.Tuesday, "")
	r = live(t, other, nil)
	registertest.Write(t, other, "b.json", "rain", registertest.Tuesday, `"instance_version": "1",`)
	eventually(t, r, func(s *register.State) bool { return len(s.Refused()) == 1 })
	assert.Equal(t, d.Current, registertest.Find(t, r, "rain").Current)
	registertest.Write(t, other, "c.json", "air", registertest.Tuesday, `"register": {"slug": "rain"},`)
	eventually(t, r, func(s *register.State) bool {
		d, ok := s.Document("rain")
		return ok && d.ID == "air" && len(s.Documents()) == 1
	})
}

// TestLiveTimes shows which times editions in a directory have: what the document says,
// unless it was changed without saying so.
func TestLiveTimes(t *testing.T) {
	dir := t.TempDir()
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	at := func(r *register.Register) string {
		return registertest.Find(t, r, "rain").Changed().Format(time.RFC3339)
	}
	r := live(t, dir, nil)
	first := registertest.Find(t, r, "rain")
	assert.Equal(t, registertest.Monday, at(r), "not the time of the file")

	// A copy, a touched file and one under another name are nothing new.
	text, err := os.ReadFile(filepath.Join(dir, "rain.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "copy.json"), text, 0o666))
	remove(t, dir, "rain.json")
	eventually(t, r, func(*register.State) bool { return registertest.Find(t, r, "rain").File() == "copy.json" })
	assert.Equal(t, registertest.Monday, at(r))
	assert.Equal(t, registertest.Monday, at(registertest.OpenDir(t, dir)), "another process")

	changed := func(updated, more string) *register.Document {
		before := registertest.Find(t, r, "rain").Current
		registertest.Write(t, dir, "copy.json", "rain", updated, more)
		eventually(t, r, func(*register.State) bool { return registertest.Find(t, r, "rain").Current != before })
		return registertest.Find(t, r, "rain")
	}
	begun := time.Now()
	silent := changed(registertest.Monday, `"instance_version": "1",`).Changed()
	assert.False(t, silent.Before(begun), "the time at which it was noticed")
	again := changed(registertest.Monday, "")
	assert.Equal(t, first.Current, again.Current)
	assert.Equal(t, registertest.Monday, at(r), "the same content is announced once")
	assert.True(t, changed(registertest.Tuesday, `"instance_version": "1",`).Changed().After(silent), "later than what was there before")
	later := silent.Add(time.Hour).UTC().Truncate(time.Second)
	assert.Equal(t, later, changed(later.Format(time.RFC3339), "").Changed())

	// What a store has is older than what is edited now.
	target, other := new(targettest.Memory), t.TempDir()
	registertest.Write(t, other, "rain.json", "rain", registertest.Monday, "")
	_, err = publishing.Documents(t.Context(), target, registertest.OpenDir(t, other), nil)
	require.NoError(t, err)
	r = live(t, other, target)
	published := registertest.Find(t, r, "rain").Changed()
	assert.NotEqual(t, registertest.Monday, at(r), "when it was published")
	registertest.Write(t, other, "rain.json", "rain", registertest.Tuesday, "")
	eventually(t, r, func(*register.State) bool { return len(registertest.Find(t, r, "rain").Editions) == 2 })
	d := registertest.Find(t, r, "rain")
	assert.Equal(t, d.Current, d.Editions[0].Hash)
	assert.True(t, d.Changed().After(published))
}

// TestSlugs shows to which document a slug belongs: in a directory the files decide, whether the
// register was open before or not, and what is published keeps its slugs.
func TestSlugs(t *testing.T) {
	slugs := func(s *register.State) map[string]string {
		list := make(map[string]string)
		for _, slug := range []string{"rain", "rain-gauge"} {
			if d, ok := s.Document(slug); ok {
				list[slug] = d.ID
			}
		}
		return list
	}
	type owners = map[string]string
	dir, target := t.TempDir(), new(targettest.Memory)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	_, err := publishing.Documents(t.Context(), target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	alone, published := live(t, dir, nil), live(t, dir, target)
	for _, step := range []struct {
		name             string
		change           func()
		alone, published owners
	}{
		{"two claim a slug", func() {
			registertest.Write(t, dir, "sun.json", "sun", registertest.Monday, `"register": {"slug": "rain"},`)
		}, owners{"rain": "rain"}, owners{"rain": "rain"}},
		{"one gives it up", func() {
			registertest.Write(t, dir, "rain.json", "rain", registertest.Tuesday, `"register": {"slug": "rain-gauge"},`)
		}, owners{"rain": "sun", "rain-gauge": "rain"}, owners{"rain": "rain", "rain-gauge": "rain"}},
		{"it is removed", func() { remove(t, dir, "rain.json") }, owners{"rain": "sun"}, owners{"rain": "rain"}},
	} {
		step.change()
		for _, one := range []struct {
			running *register.Register
			target  *targettest.Memory
			want    owners
		}{{alone, nil, step.alone}, {published, target, step.published}} {
			var refused []string
			if one.want["rain"] != "sun" {
				refused = []string{"sun.json REGISTER_CONFLICT"}
			}
			eventually(t, one.running, func(s *register.State) bool {
				return maps.Equal(slugs(s), one.want) && slices.Equal(codesOf(s), refused)
			})
			restarted := live(t, dir, one.target).State()
			assert.Equal(t, one.want, slugs(restarted), step.name)
			assert.Equal(t, refused, codesOf(restarted), step.name)
		}
	}

	// What is published counts more than what the directory had first.
	first, second := t.TempDir(), t.TempDir()
	target = new(targettest.Memory)
	registertest.Write(t, first, "sun.json", "sun", registertest.Monday, `"register": {"slug": "rain"},`)
	running := live(t, first, target)
	assert.Equal(t, owners{"rain": "sun"}, slugs(running.State()))
	registertest.Write(t, second, "rain.json", "rain", registertest.Monday, "")
	_, err = publishing.Documents(t.Context(), target, registertest.OpenDir(t, second), nil)
	require.NoError(t, err)
	eventually(t, running, func(s *register.State) bool { return slugs(s)["rain"] == "rain" })

	for _, c := range []struct{ id, asked, want string }{
		{"Rain Gauge, 1", "", "rain-gauge-1"},
		{"__x--y..z", "", "x--y-z"},
		{"straße", "", ""},
		{"東京", "", ""},
		{"東京", "tokyo", "tokyo"},
		{"changes", "", ""},
		{"CON", "", ""},
		{"a", "com1", ""},
		{"...", "", ""},
		{strings.Repeat("a", 64), "", strings.Repeat("a", 64)},
		{strings.Repeat("a", 65), "", ""},
		{"a", "A", ""},
		{"a", "-a", ""},
		{strings.Repeat("a", 100_000), "", ""},
		{"a", strings.Repeat("a", 100_000), ""},
	} {
		got, err := register.SlugOf(c.id, c.asked)
		assert.Equal(t, c.want, got, c)
		assert.Equal(t, c.want == "", err != nil, c)
		assert.Less(t, len(fmt.Sprint(err)), 400)
	}
}

// TestContent shows which texts are the same edition.
func TestContent(t *testing.T) {
	hash := func(text string) taxonomy.Hash {
		doc, err := document.Parse([]byte(text))
		require.NoError(t, err)
		return trust.EditionHash(doc)
	}
	base := hash(`{"id": "a", "elements": [1], "é": 2}`)
	for _, same := range []string{
		`{"é":2,"elements":[1],"id":"a"}`,
		`{"id": "a", "elements": [1], "é": 2, "schema_snapshot": {"categories": []}, "suggested_elements": [], "title": [], "description": []}`,
	} {
		assert.Equal(t, base, hash(same), same)
	}
	for _, other := range []string{
		`{"id": "a", "elements": [1], "é": 2, "suggested_elements": [{}]}`,
		`{"id": "a", "elements": [1], "é": 2, "title": [{"locale": "en", "value": "A"}]}`,
		`{"id": "a", "elements": [1], "é": 2, "sources": []}`,
	} {
		assert.NotEqual(t, base, hash(other), other)
	}
}

// without is a store without a version.
type without struct {
	taxonomy.Store
	version string
}

func (w without) Index(ctx context.Context) (*taxonomy.Index, error) {
	x, err := w.Store.Index(ctx)
	if err != nil {
		return nil, err
	}
	v, err := taxonomy.ParseVersion(w.version)
	if err != nil {
		return nil, err
	}
	return listing.Remove(x, taxonomy.RetiredVersion{ID: v})
}

// TestVersionMissing shows that a resolved document is shown by its snapshot, and that a
// thin one is invalid.
func TestVersionMissing(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(without{store, "sensor@2026-11-15-stable"}, nil)
	require.NoError(t, err)
	dir := t.TempDir()
	for _, name := range []string{"wifi-counter.json", "air-station.resolved.json"} {
		sample, ok := samples.Find(name)
		require.True(t, ok)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), sample.Text, 0o666))
	}
	origin, err := register.OpenDirectory(dir, nil)
	require.NoError(t, err)
	r, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
	require.NoError(t, err)
	assert.Len(t, r.State().Refused(), 1)
	d := registertest.Find(t, r, "market-square-air")
	assert.True(t, d.Unpublished)
	_, err = r.Present(t.Context(), d, d.Current)
	require.NoError(t, err)
	require.NoError(t, r.Close())
}

// TestLiveFirst shows that documents in a directory come before those in a store, with the
// history of both, and that what was erased is not shown.
func TestLiveFirst(t *testing.T) {
	dir, target, ctx := t.TempDir(), new(targettest.Memory), t.Context()
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	registertest.Write(t, dir, "wind.json", "wind", registertest.Monday, "")
	_, err := publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Tuesday, "")
	remove(t, dir, "wind.json")
	r := live(t, dir, target)
	d := registertest.Find(t, r, "rain")
	assert.Len(t, d.Editions, 2)
	assert.Equal(t, registertest.Tuesday, d.UpdatedAt.Format(time.RFC3339))
	assert.False(t, registertest.Find(t, r, "wind").Removed(), "the store has it")

	_, err = publishing.Withdraw(ctx, target, "wind", "over")
	require.NoError(t, err)
	eventually(t, r, func(s *register.State) bool { d, _ := s.Document("wind"); return d.Removed() })
	_, err = publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	_, err = publishing.Erase(ctx, target, "rain", d.Current, "a name")
	require.NoError(t, err)
	s := eventually(t, r, func(s *register.State) bool { d, _ := s.Document("rain"); return d.Removed() })
	assert.Equal(t, []string{"rain.json REGISTER_CONFLICT"}, codesOf(s))
}

func TestDates(t *testing.T) {
	dir, target := t.TempDir(), new(targettest.Memory)
	registertest.Write(t, dir, "rain.json", "rain", "2062-11-15T10:00:00Z", "")
	d := registertest.Find(t, registertest.OpenDir(t, dir), "rain")
	require.Len(t, publishing.Warnings(d, time.Now()), 1)
	assert.Equal(t, "REGISTER_DATE", string(publishing.Warnings(d, time.Now())[0].Code))
	assert.Empty(t, publishing.Warnings(d, time.Date(2063, 1, 1, 0, 0, 0, 0, time.UTC)))

	// Seconds are optional: times without them count, and are compared.
	publish := func(updated, more string) *publishing.Report {
		registertest.Write(t, dir, "rain.json", "rain", updated, more)
		report, err := publishing.Documents(t.Context(), target, registertest.OpenDir(t, dir), nil)
		require.NoError(t, err)
		return report
	}
	publish("2026-06-22T10:00Z", "")
	assert.Empty(t, publish("2026-06-22T12:30+02:00", `"instance_version": "1",`).Warnings, "half an hour later")
	same := publish("2026-06-22T10:30:00Z", `"instance_version": "2",`).Warnings
	require.Len(t, same, 1)
	assert.Contains(t, same[0].Issues[0].Message, "updated_at has not")
	d = registertest.Find(t, registertest.OpenDir(t, dir), "rain")
	assert.Equal(t, "2026-06-22T10:30:00Z", d.UpdatedAt.Format(time.RFC3339))
	registertest.Write(t, dir, "newer.json", "rain", "2026-06-22T11:00Z", "")
	assert.Equal(t, "newer.json", registertest.Find(t, registertest.OpenDir(t, dir), "rain").File(), "the newest is current")
	registertest.Write(t, dir, "rain.json", "rain", "2062-11-15T10:00Z", "")
	assert.Len(t, publishing.Warnings(registertest.Find(t, registertest.OpenDir(t, dir), "rain"), time.Now()), 1)
}

// TestHostileFiles shows that a file that is not a document is refused with a reason, and keeps
// nothing else from being published.
func TestHostileFiles(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	registertest.Write(t, outside, "secret.json", "secret", registertest.Monday, "")
	registertest.Write(t, dir, "_drafts/draft.json", "draft", registertest.Monday, "")
	registertest.Write(t, dir, ".git/object.json", "object", registertest.Monday, "")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "directory.json"), 0o777))
	good, err := os.ReadFile(filepath.Join(dir, "rain.json"))
	require.NoError(t, err)
	wide := utf16.Encode([]rune(string(good)))
	text := []byte{0xff, 0xfe}
	for _, unit := range wide {
		text = binary.LittleEndian.AppendUint16(text, unit)
	}
	want := []string{}
	for name, content := range map[string][]byte{
		"empty.json":     nil,
		"prose.json":     []byte("Rain gauge"),
		"utf16.json":     text,
		"latin1.json":    bytes.Replace(good, []byte("Town"), []byte("St\xe4dt"), 1),
		"nul.json":       append([]byte{0}, good...),
		"nuls.json":      make([]byte, 4096),
		"cut.json":       good[:len(good)/2],
		"two.json":       append(bytes.Clone(good), good...),
		"duplicate.json": bytes.Replace(good, []byte(`"id": "rain",`), []byte(`"id": "rain", "id": "wind",`), 1),
		"deep.json":      bytes.Repeat([]byte("["), 1<<20),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o666))
		want = append(want, name+" bad_request")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "large.json"), make([]byte, 17<<20), 0o666))
	want = append(want, "large.json source_unreadable")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(filepath.Join(outside, "secret.json"), filepath.Join(dir, "link.json")))
		require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "lost.json")))
		require.NoError(t, os.Symlink("rain.json", filepath.Join(dir, "same.json")))
		want = append(want, "link.json source_unreadable", "lost.json source_unreadable")
		if os.Getuid() != 0 { // who can read all files
			registertest.Write(t, dir, "closed.json", "closed", registertest.Monday, "")
			require.NoError(t, os.Chmod(filepath.Join(dir, "closed.json"), 0))
			want = append(want, "closed.json source_unreadable")
		}
	}
	s := registertest.OpenDir(t, dir).State()
	require.Len(t, s.Documents(), 1)
	assert.ElementsMatch(t, want, codesOf(s))
	said := map[string][2]string{
		"large.json":  {"large.json can't be read: it is too large: more than 16 MiB.", "shorten the document or divide it into several, or remove the file"},
		"link.json":   {"link.json can't be read: it is a link that leads out of the directory.", "put a copy of the file there"},
		"lost.json":   {"lost.json can't be read: it is a link to a file that does not exist.", "correct the link, or remove it"},
		"closed.json": {"closed.json can't be read: permission denied.", "let the user of this program read it, or remove it"},
	}
	for _, r := range s.Refused() {
		if want, ok := said[r.File]; ok {
			assert.Equal(t, want, [2]string{r.Issues[0].Message, r.Issues[0].FixHint})
		}
		for _, i := range r.Issues {
			assert.NotEmpty(t, i.Message, r.File)
			assert.Equal(t, r.File, i.Position.File)
		}
	}
	_, err = publishing.Documents(t.Context(), new(targettest.Memory), registertest.OpenDir(t, dir), nil)
	require.NoError(t, err, "the others are published")
}

// TestSettingsAgain shows that settings are read again when a file that they name appears, and
// that the reason why they can't be used is the current one.
func TestSettingsAgain(t *testing.T) {
	dir := t.TempDir()
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "_new"), []byte(text), 0o666))
		require.NoError(t, os.Rename(filepath.Join(dir, "_new"), filepath.Join(dir, name)))
	}
	put("register.yaml", `{"title": {"en": "First"}}`)
	origin, err := register.OpenDirectory(dir, nil)
	require.NoError(t, err)
	r, err := register.New(registertest.Service(t), []register.Origin{origin}, &register.Options{Refresh: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	refused := func(part string) func(*register.State) bool {
		return func(s *register.State) bool {
			return len(s.Refused()) == 1 && strings.Contains(s.Refused()[0].Issues[0].String(), part) && s.Settings().Title.Pick("en") == "First"
		}
	}
	put("register.yaml", `{"title": `)
	eventually(t, r, refused("register.yaml:1:"))
	put("register.yaml", `{"title": {"en": "Second"}, "publisher": {"logo": "logo.svg"}}`)
	eventually(t, r, refused("logo.svg"))
	put("logo.svg", "<svg/>")
	eventually(t, r, func(s *register.State) bool {
		return len(s.Refused()) == 0 && s.Settings().Title.Pick("en") == "Second" && s.Settings().Publisher.Logo != nil
	})
	put("register.yaml", `{"title": `)
	eventually(t, r, func(s *register.State) bool { return len(s.Refused()) == 1 })
	remove(t, dir, "register.yaml")
	s := eventually(t, r, func(s *register.State) bool { return len(s.Refused()) == 0 && s.Settings().Title == nil })
	for range 5 { // checks of the directory
		time.Sleep(10 * time.Millisecond)
	}
	require.Same(t, s, r.State(), "nothing has changed since")
}
