package stores_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/cmd/internal/audit"
	"github.com/datachain-go/datachain/cmd/internal/cloud"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	documents "github.com/datachain-go/datachain/register/rest"
	"github.com/datachain-go/datachain/release/publish"
	releases "github.com/datachain-go/datachain/release/rest"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestHistories lets a register live: random changes of documents, versions and keys, publishers
// that die, files that vanish, and sources that lag or lie. After each, its readers and mirrors
// must be right, or say that they are not. Three histories are always the same; HISTORIES says for
// how long to try new ones, such as 10m. A history that fails is shortened and printed with its
// seed, which HISTORY_SEED runs again.
func TestHistories(t *testing.T) {
	began := time.Now()
	seed, more := uint64(1), func(n int) bool { return n < 3 }
	if d, err := time.ParseDuration(os.Getenv("HISTORIES")); err == nil {
		seed, more = uint64(began.UnixNano()), func(int) bool { return time.Since(began) < d }
	}
	if s, err := strconv.ParseUint(os.Getenv("HISTORY_SEED"), 10, 64); err == nil {
		seed, more = s, func(n int) bool { return n == 0 }
	}
	n := 0
	for ; more(n); n++ {
		at := seed + uint64(n)
		random := rand.New(rand.NewPCG(at, 0))
		steps := make([]step, 4+random.IntN(12))
		for i := range steps {
			steps[i] = step{random.IntN(len(happenings)), random.IntN(1000), random.IntN(1000)}
		}
		err := live(t, inBucketAt(at), steps)
		if err == nil {
			continue
		}
		// Without a step the history is another one, which may fail for another reason: that
		// is as good.
		failed := time.Now()
		for i := 0; i < len(steps) && time.Since(failed) < time.Minute; {
			shorter := slices.Delete(slices.Clone(steps), i, i+1)
			if why := live(t, inBucketAt(at), shorter); why != nil {
				steps, err = shorter, why
			} else {
				i++
			}
		}
		var told []string
		for _, s := range steps {
			told = append(told, fmt.Sprintf("%s(%d, %d)", happenings[s.what].name, s.a, s.b))
		}
		t.Fatalf("HISTORY_SEED=%d: %s\n%v", at, strings.Join(told, ", "), err)
	}
	t.Logf("%d histories from seed %d in %v", n, seed, time.Since(began).Round(time.Second))
}

// TestKnownHistories lives through what has been wrong: readers that began after a second key
// refused the store, and check did not read files of which a copy was in memory. Without ALL, each
// is in one place.
func TestKnownHistories(t *testing.T) {
	for i, known := range []struct {
		name  string
		steps []string
	}{
		{"two keys, and a version between them", []string{"rotate", "beta", "old key"}},
		{"a missing text", []string{"damage"}},
		{"erased, and a copy from before", []string{"rewind"}},
		{"an index that is missing", []string{"lose"}},
		{"a source from before something was erased", []string{"back"}},
		{"a source that goes on from there", []string{"fork"}},
	} {
		var steps []step
		for _, name := range known.steps {
			at := slices.IndexFunc(happenings, func(h happening) bool { return h.name == name })
			steps = append(steps, step{at, 3, 2})
		}
		live := func(t *testing.T, place func(*testing.T) *place) { require.NoError(t, live(t, place, steps)) }
		all := os.Getenv("ALL") != ""
		if all || i%2 == 0 {
			t.Run(known.name+" in a bucket", func(t *testing.T) { live(t, inBucket) })
		}
		if all || i%2 == 1 {
			t.Run(known.name+" in a directory", func(t *testing.T) { live(t, inDirectory) })
		}
	}
}

// inBucketAt returns where the store of a history is: every other one is in a bucket.
func inBucketAt(seed uint64) func(*testing.T) *place {
	if seed%2 == 0 {
		return inBucket
	}
	return inDirectory
}

// step is one happening, with numbers that choose what it is about.
type step struct{ what, a, b int }

// happening is something that happens to a world.
type happening struct {
	name string
	do   func(w *world, a, b int) error
}

// happenings are what can happen. They return an error if something is wrong afterwards.
var happenings = []happening{
	{"publish", func(w *world, a, b int) error { w.edit(a, b); return w.change(w.publish) }},
	{"publish", func(w *world, a, b int) error { w.edit(a, b); w.edit(a+1, b); return w.change(w.publish) }},
	{"rename", func(w *world, a, b int) error { w.rename(a, b); return w.change(w.publish) }},
	{"withdraw", func(w *world, a, _ int) error { return w.change(w.withdraw(a)) }},
	{"erase", func(w *world, a, b int) error { return w.change(w.erase(a, b)) }},
	{"beta", func(w *world, a, _ int) error { return w.change(w.beta(a)) }},
	{"promote", func(w *world, a, _ int) error { return w.change(w.promote(a)) }},
	{"retire", func(w *world, a, _ int) error { return w.change(w.retire(a)) }},
	{"rotate", func(w *world, _, _ int) error { return w.change(w.rotate) }},
	{"kill", (*world).kill},
	{"lose", (*world).lose},
	{"damage", (*world).damage},
	{"rewind", (*world).rewind},
	{"old key", (*world).oldKey},
	{"lag", (*world).lag},
	{"back", (*world).back},
	{"fork", (*world).fork},
	{"lie", (*world).lie},
}

// life is one document as its author has it.
type life struct {
	slug, text string
	beta       bool
}

// world is a register with its store, log and keys, a reader, and mirrors of a server.
type world struct {
	t     *testing.T
	p     *place
	key   *publish.Key
	old   []*publish.Key // that were replaced
	trust *trust.Trust
	dir   string
	lives map[string]*life
	count int
	// marks are words of editions, by id, in the order in which they were written.
	marks  map[string][]string
	erased []string // marks that must not be read any more
	close  []func()

	server  *httptest.Server // of the source
	source  atomic.Pointer[http.Handler]
	lies    atomic.Int64
	asked   atomic.Int64 // how often mirrors asked for changes
	readers []*reader
	betas   int
}

// reader is what reads the register, with its pages.
type reader struct {
	name     string
	register *register.Register
	pages    http.Handler
	known    map[string]bool // ids that it has shown
}

// live lets a world live through steps, and returns what went wrong.
func live(t *testing.T, where func(*testing.T) *place, steps []step) error {
	w, err := newWorld(t, where(t))
	defer func() {
		for _, c := range slices.Backward(w.close) {
			c()
		}
	}()
	if err != nil {
		return fmt.Errorf("at the beginning: %w", err)
	}
	for i, s := range steps {
		if err := happenings[s.what].do(w, s.a, s.b); err != nil {
			return fmt.Errorf("step %d, %s: %w", i, happenings[s.what].name, err)
		}
	}
	return nil
}

func newWorld(t *testing.T, p *place) (*world, error) {
	dir, err := os.MkdirTemp("", "history") //nolint:usetesting // removed after each history, of which a test has many
	w := &world{t: t, p: p, key: newKey(t), dir: dir, lives: make(map[string]*life), marks: make(map[string][]string)}
	w.close = append(w.close, func() { _ = os.RemoveAll(dir) })
	w.trust = trusting(t, w.key, nil)
	w.server = httptest.NewServer(http.HandlerFunc(w.answer))
	w.close = append(w.close, w.server.Close)
	if err != nil {
		return w, err
	}
	w.edit(0, 0)
	w.edit(1, 1)
	for _, do := range []func(context.Context, publish.Target) error{w.promote(0), w.beta(0), w.publish} {
		if err := w.signed(nil, do); err != nil {
			return w, err
		}
	}
	if err := w.serve(w.p); err != nil {
		return w, err
	}
	opened, err := w.open(w.p, w.trust)
	if err != nil {
		return w, err
	}
	r := &reader{name: "reader", known: make(map[string]bool)}
	if r.register, r.pages, err = w.register(opened, opened.Documents("the store"), nil); err != nil {
		return w, err
	}
	w.readers = append(w.readers, r)
	for _, trust := range []*trust.Trust{nil, w.trust} {
		if r, err = w.mirror(opened, &stores.Options{Trust: trust}); err != nil {
			return w, err
		}
		w.readers = append(w.readers, r)
	}
	err = w.well()
	return w, err
}

// mirror opens a mirror of the server.
func (w *world) mirror(opened *stores.Opened, o *stores.Options) (*reader, error) {
	r := &reader{name: "mirror", known: make(map[string]bool)}
	if o.Trust != nil {
		r.name = "trusting mirror"
	}
	origin, err := openDocuments(w.server.URL, o)
	if err == nil {
		r.register, r.pages, err = w.register(opened, origin, nil)
	}
	return r, err
}

// lies are how a source can answer wrongly; 0 is the truth.
const (
	lieNothing   = 1 + iota // there is nothing
	lieFailing              // it fails
	lieForgotten            // changes are too old
	lieEmpty                // empty objects
	lieCut                  // half of the answer
	lieOther                // other words in texts
	lies
)

// answer answers mirrors as the source does, or as its lie is.
func (w *world) answer(rw http.ResponseWriter, r *http.Request) {
	changes := strings.HasSuffix(r.URL.Path, "/changes")
	if changes {
		w.asked.Add(1)
	}
	lie := w.lies.Load()
	switch {
	case lie == lieNothing:
		http.NotFound(rw, r)
	case lie == lieFailing:
		http.Error(rw, "no", http.StatusInternalServerError)
	case lie == lieForgotten && changes:
		http.Error(rw, "gone", http.StatusGone)
	case lie == lieEmpty:
		_, _ = io.WriteString(rw, "{}")
	case lie == lieCut || lie == lieOther:
		r.Header.Del("Accept-Encoding")
		r.Header.Del("If-None-Match")
		answer := httptest.NewRecorder()
		(*w.source.Load()).ServeHTTP(answer, r)
		body := strings.ReplaceAll(answer.Body.String(), `"mark`, `"forged`)
		if lie == lieCut {
			body = body[:len(body)/2]
		}
		rw.WriteHeader(answer.Code)
		_, _ = io.WriteString(rw, body)
	default:
		(*w.source.Load()).ServeHTTP(rw, r)
	}
}

// open opens a store for a reader.
func (w *world) open(p *place, trust *trust.Trust) (*stores.Opened, error) {
	opened, err := stores.Open(context.Background(), stores.Location{Store: p.store}, &stores.Options{Trust: trust, Follow: true, Refresh: 10 * time.Millisecond, Buckets: cloud.Buckets{Access: p.bucket}})
	if err == nil {
		w.close = append(w.close, opened.Close)
	}
	return opened, err
}

// register opens documents, and the pages and the API that show them.
func (w *world) register(opened *stores.Opened, origin register.Origin, log signedlog.ReadFunc) (*register.Register, http.Handler, error) {
	service, err := datachain.New(must(laststore.New(opened.Store, nil)), nil)
	if err != nil {
		return nil, nil, err
	}
	r, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: 10 * time.Millisecond})
	if err != nil {
		return nil, nil, err
	}
	w.close = append(w.close, func() { _ = r.Close() })
	site, err := pages.New(service, &pages.Options{Documents: r, BaseURL: "https://example.org", CacheBytes: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, nil, err
	}
	api, err := httpapi.New(service, &httpapi.Options{Routes: slices.Concat(documents.Routes(r), releases.Log(log, nil)), Logger: slog.New(slog.DiscardHandler), Mounts: []httpapi.Mount{{Path: "/", Handler: site, Bucket: site.Bucket, Refuse: site.Refuse}}})
	return r, api, err
}

// serve makes a store, which nothing verifies, the source of the mirrors.
func (w *world) serve(p *place) error {
	opened, err := w.open(p, nil)
	if err != nil {
		return err
	}
	_, api, err := w.register(opened, opened.Documents("the source"), stores.LogOf(opened.Store, opened.Log))
	if err == nil {
		w.source.Store(&api)
	}
	return err
}

// signed changes the store with the key, long ago, so that nothing counts as just published.
func (w *world) signed(m *mortal, do func(context.Context, publish.Target) error) (err error) {
	synctest.Test(w.t, func(*testing.T) {
		ctx := context.Background()
		err = w.p.change(ctx, m, w.key, func(target publish.Target) error { return do(ctx, target) })
	})
	return err
}

// change changes the store, after which everything must be well.
func (w *world) change(do func(context.Context, publish.Target) error) error {
	if err := w.signed(nil, do); err != nil {
		return err
	}
	return w.well()
}

var historyVersion = map[bool]taxonomy.Version{true: taxonomy.MustVersion("thing@2026-02-01-beta"), false: taxonomy.MustVersion("thing@2026-01-01-stable")}

// release returns a version with one element, whose id depends on a number if it is a beta.
func (w *world) release(beta bool, n int) *taxonomy.Release {
	text := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }
	id := "part.one"
	if n%2 == 1 {
		id = "part.two"
	}
	r, err := taxonomy.NewRelease(historyVersion[beta], taxonomy.Content{
		Title: text(fmt.Sprint("Things ", n)), Locales: []string{"en"}, Symbols: map[string]string{"s": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M9 9v18"/></svg>`},
		Type:       taxonomy.Type{ID: "thing", Name: text("Thing"), Categories: []string{"part"}, Subchains: []taxonomy.Subchain{}},
		Categories: []taxonomy.Category{{ID: "part", Name: text("Part"), Description: text("A part."), Shape: taxonomy.Circle}},
		Elements:   []taxonomy.Element{{ID: id, CategoryID: "part", SymbolID: "s", Title: text("One"), Description: text("The one."), IconVariants: []string{taxonomy.VariantDefault, taxonomy.VariantDark}, Variables: []taxonomy.Variable{}}},
	})
	require.NoError(w.t, err)
	return r
}

// edit writes a new edition of one of four documents.
func (w *world) edit(a, b int) {
	id := fmt.Sprint("doc", a%4)
	w.count++
	l := w.lives[id]
	if l == nil {
		l = &life{slug: id, beta: b%2 == 1}
		w.lives[id] = l
	}
	mark := fmt.Sprintf("mark%dx%s", w.count, id)
	w.marks[id] = append(w.marks[id], mark)
	l.text = mark
	w.write(id)
}

func (w *world) write(id string) {
	l := w.lives[id]
	element := "part.one"
	if l.beta && w.betas%2 == 1 {
		element = "part.two"
	}
	text := fmt.Sprintf(`{"id": %q, "schema_version": %q, "created_at": "2026-01-01T00:00:00Z", "title": [{"locale": "en", "value": %q}], "elements": [{"element_id": %q}], "register": {"slug": %q}}`,
		id, historyVersion[l.beta], l.text, element, l.slug)
	require.NoError(w.t, os.WriteFile(filepath.Join(w.dir, id+".json"), []byte(text), 0o600))
}

// rename gives a document another slug, perhaps one that another has or had.
func (w *world) rename(a, b int) {
	w.edit(a, b) // each edition has its own mark
	id := fmt.Sprint("doc", a%4)
	w.lives[id].slug = fmt.Sprint([]string{"doc", "new"}[b%2], b%4)
	w.write(id)
}

func (w *world) publish(ctx context.Context, t publish.Target) error {
	opened, err := stores.Open(ctx, stores.Location{Store: w.p.store}, &stores.Options{Buckets: cloud.Buckets{Access: w.p.bucket}})
	if err != nil {
		return err
	}
	defer opened.Close()
	service, err := datachain.New(opened.Store, nil)
	if err != nil {
		return err
	}
	origin, err := openDocuments(w.dir, new(stores.Options))
	if err != nil {
		return err
	}
	r, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
	if err != nil {
		return err
	}
	_, err = publishing.Documents(ctx, t, r, nil)
	return errors.Join(err, r.Close())
}

// list returns what the store has, by its own account.
func (w *world) list() ([]*register.Document, error) {
	opened, err := stores.Open(context.Background(), stores.Location{Store: w.p.store}, &stores.Options{Buckets: cloud.Buckets{Access: w.p.bucket}})
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return register.ListStored(context.Background(), opened.Store.(register.Files), nil)
}

// choose returns a document of the store.
func (w *world) choose(a int) *register.Document {
	list, err := w.list()
	if err != nil || len(list) == 0 {
		return nil
	}
	return list[a%len(list)]
}

func (w *world) withdraw(a int) func(context.Context, publish.Target) error {
	d := w.choose(a)
	return func(ctx context.Context, t publish.Target) error {
		_, err := publishing.Withdraw(ctx, t, d.Slug, "It was removed")
		return err
	}
}

// erase erases a document, or its first edition.
func (w *world) erase(a, b int) func(context.Context, publish.Target) error {
	d := w.choose(a)
	var hash taxonomy.Hash
	if b%2 == 0 {
		hash = d.Editions[len(d.Editions)-1].Hash
	}
	for _, e := range d.Editions {
		if !hash.IsZero() && e.Hash != hash {
			continue
		}
		for name, text := range w.p.files() {
			if !strings.HasPrefix(name, "documents/") || !strings.Contains(name, strings.TrimPrefix(e.Hash.String(), "sha256-")) {
				continue
			}
			for _, mark := range w.marks[d.ID] {
				if strings.Contains(text, `"`+mark+`"`) {
					w.erased = append(w.erased, mark)
				}
			}
		}
	}
	return func(ctx context.Context, t publish.Target) error {
		_, err := publishing.Erase(ctx, t, d.Slug, hash, "A name")
		return err
	}
}

// beta publishes a beta version again, often with another id of its element.
func (w *world) beta(a int) func(context.Context, publish.Target) error {
	if len(w.readers) > 0 {
		w.betas += 1 + a%2
	}
	return func(ctx context.Context, t publish.Target) error {
		_, err := publish.Publish(ctx, t, []listing.Publication{{Release: w.release(true, w.betas), Again: true}}, nil)
		return err
	}
}

// promote publishes the stable version, or another one with the content of the beta.
func (w *world) promote(a int) func(context.Context, publish.Target) error {
	return func(ctx context.Context, t publish.Target) error {
		r := w.release(false, 0)
		if len(w.readers) > 0 {
			version, err := taxonomy.ParseVersion(fmt.Sprintf("thing@2026-03-%02d-stable", 1+a%28))
			if err == nil {
				r, err = w.release(true, w.betas).WithVersion(version)
			}
			if err != nil {
				return err
			}
		}
		_, err := publish.Publish(ctx, t, []listing.Publication{{Release: r, Again: true}}, nil)
		if errors.Is(err, taxonomy.ErrStableChanged) {
			err = nil // it was promoted before the beta changed
		}
		return err
	}
}

// retire retires the beta or the stable version, which the next publication brings back.
func (w *world) retire(a int) func(context.Context, publish.Target) error {
	return func(ctx context.Context, t publish.Target) error {
		_, err := publish.Retire(ctx, t, nil, taxonomy.RetiredVersion{ID: historyVersion[a%2 == 0], At: "2026-11-16"})
		if errors.Is(err, taxonomy.ErrNotFound) {
			err = nil
		}
		return err
	}
}

func (w *world) rotate(ctx context.Context, t publish.Target) error {
	next := newKey(w.t)
	err := publish.Rotate(ctx, t, next)
	if err == nil {
		w.old, w.key = append(w.old, w.key), next
	}
	return err
}

// kill kills a publisher at one of its writes, and repeats what it did.
func (w *world) kill(a, b int) error {
	works := []func() func(context.Context, publish.Target) error{
		func() func(context.Context, publish.Target) error { w.edit(a, b); return w.publish },
		func() func(context.Context, publish.Target) error { return w.withdraw(a) },
		func() func(context.Context, publish.Target) error { return w.erase(a, b/2) },
		func() func(context.Context, publish.Target) error { return w.beta(a) },
	}
	do := works[b%len(works)]()
	if err := w.signed(&mortal{at: 1 + a%9}, do); err != nil {
		if !errors.Is(err, errKilled) {
			return err
		}
		marks := w.erased
		if b%len(works) == 2 { // it had not finished
			w.erased = nil
		}
		err := w.look(true, false)
		w.erased = marks
		if err != nil {
			return fmt.Errorf("after a publisher was killed: %w", err)
		}
	}
	return w.change(do)
}

// lose deletes, empties or replaces an index or the checkpoint: readers keep what they have and say
// so, and the command finds it.
func (w *world) lose(a, b int) error {
	name := []string{"documents/index.json", "index.json", "log/checkpoint"}[a%3]
	old := w.p.files()[name]
	good := w.p.save()
	switch b % 3 {
	case 0: // an old copy beside what is newer
		if a%3 == 2 {
			return nil // that of the whole store is another happening
		}
		w.edit(a, b)
		if err := w.change(w.publish); err != nil {
			return err
		}
		if err := w.change(w.beta(1)); err != nil {
			return err
		}
		if w.p.files()[name] == old {
			return nil // the edition was refused
		}
		good = w.p.save()
		w.p.put(name, old)
	case 1:
		w.p.put(name, "")
	default:
		w.p.drop(name)
	}
	if err := w.wrong(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if name == "documents/index.json" {
		if err := w.alarmed(); err != nil {
			return err
		}
	}
	if err := w.look(false, false); err != nil {
		return fmt.Errorf("without a good %s: %w", name, err)
	}
	good()
	return w.well()
}

// damage deletes, empties or changes any file that is needed, such as a text or a part of the log.
func (w *world) damage(a, b int) error {
	files := w.p.files()
	names := slices.Sorted(maps.Keys(files))
	names = slices.DeleteFunc(names, func(name string) bool { return !w.needed(name) })
	name := names[a%len(names)]
	good := w.p.save()
	switch text := []byte(files[name]); {
	case b%3 == 0:
		w.p.drop(name)
	case b%3 == 1 || strings.HasSuffix(name, ".resolved.json") || strings.HasSuffix(name, "index.json"): // the log does not have all of these, such as reasons
		w.p.put(name, "")
	default:
		text[b%len(text)] ^= 1
		w.p.put(name, string(text))
	}
	if err := w.wrong(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := w.look(true, false); err != nil { // texts may be missing
		return fmt.Errorf("without a good %s: %w", name, err)
	}
	good()
	return w.well()
}

// needed reports whether a file of the store is part of what it publishes now. Publishers leave
// others, which they remove later.
func (w *world) needed(name string) bool {
	switch dir, file, _ := strings.Cut(name, "/"); dir {
	case "index.json":
		return true
	case "documents":
		if file == "index.json" || file == "register.json" {
			return true
		}
		list, err := w.list()
		return err == nil && slices.ContainsFunc(list, func(d *register.Document) bool {
			return strings.HasPrefix(file, d.Slug+"/") && slices.ContainsFunc(d.Editions, func(e register.Edition) bool {
				return e.Erased == nil && strings.Contains(file, strings.TrimPrefix(e.Hash.String(), "sha256-"))
			})
		})
	case "log":
		return file == "checkpoint"
	}
	return false
}

// rewind lets the whole store be what it was before some changes, which readers refuse, since they
// have seen more. One that begins then can't know.
func (w *world) rewind(a, b int) error {
	before, checkpoint := w.p.save(), w.p.files()["log/checkpoint"]
	w.edit(a, b)
	if err := w.change(w.publish); err != nil {
		return err
	}
	if err := w.change(w.erase(a, b)); err != nil {
		return err
	}
	if err := w.change(w.withdraw(b)); err != nil {
		return err
	}
	if w.p.files()["log/checkpoint"] == checkpoint {
		return nil // all of that was refused, or done before
	}
	good := w.p.save()
	before()
	if err := w.alarmed(); err != nil {
		return err
	}
	if err := w.look(true, false); err != nil {
		return err
	}
	for _, d := range w.readers[0].register.State().Documents() {
		for _, e := range d.Editions {
			if text, err := w.readers[0].register.Text(context.Background(), d, e.Hash, register.Thin); err == nil && slices.ContainsFunc(w.erased, func(mark string) bool { return strings.Contains(string(text), mark) }) {
				return fmt.Errorf("%s can be read again", e.Short())
			}
		}
	}
	good()
	return w.well()
}

// oldKey lets whoever has a key that was replaced use it: to publish, which is refused before
// anything is written, and to sign the log, which readers refuse.
func (w *world) oldKey(a, b int) error {
	if err := w.change(w.rotate); err != nil {
		return err
	}
	current, files := w.key, w.p.files()
	w.key = w.old[a%len(w.old)]
	w.edit(a, b)
	err := w.signed(nil, w.publish)
	old := w.key
	w.key = current
	switch {
	case err == nil:
		return errors.New("a key that was replaced publishes")
	case !errors.Is(err, publish.ErrReplacedKey):
		return fmt.Errorf("publishing with a key that was replaced: %w", err)
	case !maps.Equal(files, w.p.files()):
		return errors.New("a key that was replaced changed the store")
	}
	if err := w.change(w.publish); err != nil { // with the key that holds
		return err
	}
	good := w.p.save()
	body, _, _ := strings.Cut(w.p.files()["log/checkpoint"], "\n\n")
	signed, err := note.Sign(&note.Note{Text: body + "\n"}, old)
	if err != nil {
		return err
	}
	w.p.put("log/checkpoint", string(signed))
	if err := w.wrong(); err != nil {
		return fmt.Errorf("a checkpoint that an old key signed: %w", err)
	}
	if err := w.look(false, false); err != nil {
		return err
	}
	good()
	return w.well()
}

// problems returns what 'datachain check --trust' says.
func (w *world) problems() (found []string) {
	ctx := context.Background()
	opened, err := stores.Open(ctx, stores.Location{Store: w.p.store}, &stores.Options{Trust: w.trust, Buckets: cloud.Buckets{Access: w.p.bucket}})
	if err != nil {
		return []string{err.Error()}
	}
	defer opened.Close()
	service, err := datachain.New(opened.Store, nil)
	if err != nil {
		return []string{err.Error()}
	}
	checked, err := audit.Store(ctx, opened.Store, audit.Options{
		Trust: w.trust, Log: stores.LogOf(opened.Store, opened.Log),
		Register: func() (*register.Register, error) {
			return register.New(service, []register.Origin{opened.Documents("the store")}, &register.Options{Refresh: -1})
		},
		Version: func(v *audit.Version) { found = append(found, v.Problems...) },
	})
	if err != nil {
		return append(found, err.Error())
	}
	return append(found, checked.Problems...)
}

// wrong returns an error if the command finds nothing wrong.
func (w *world) wrong() error {
	if len(w.problems()) == 0 {
		return errors.New("check finds nothing wrong")
	}
	return nil
}

// alarmed waits until the reader says that something is wrong.
func (w *world) alarmed() error {
	r := w.readers[0].register
	for until := time.Now().Add(10 * time.Second); len(r.Failures()) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			return errors.New("the reader does not say that anything is wrong")
		}
	}
	return nil
}

// copy returns a copy of the store, which stays as it is.
func (w *world) copy() *place {
	copied := inDirectory(w.t)
	for name, text := range w.p.files() {
		copied.put(name, text)
	}
	return copied
}

// lag lets the source show what the store was, while the store changes.
func (w *world) lag(a, b int) error {
	copied := w.copy()
	if err := w.serve(copied); err != nil {
		return err
	}
	w.edit(a, b)
	if err := w.signed(nil, w.publish); err != nil {
		return err
	}
	w.heard()
	if err := w.look(false, false); err != nil {
		return err
	}
	if err := w.serve(w.p); err != nil {
		return err
	}
	return w.well()
}

// back lets the source be replaced by a copy from before something was erased.
func (w *world) back(a, b int) error {
	copied := w.copy()
	if err := w.change(w.erase(a, b)); err != nil {
		return err
	}
	if err := w.serve(copied); err != nil {
		return err
	}
	w.heard()
	if err := w.look(false, false); err != nil {
		return err
	}
	if err := w.serve(w.p); err != nil {
		return err
	}
	return w.well()
}

// fork lets the source be replaced by a copy from before something was erased, into which others
// publish: a mirror that trusts any source follows it, but what was erased stays so.
func (w *world) fork(a, b int) error {
	copied, good := w.copy(), w.p
	if err := w.change(w.erase(a, b)); err != nil {
		return err
	}
	if copied.files()["log/checkpoint"] == good.files()["log/checkpoint"] {
		return nil // it was erased before, so the copy is no other history
	}
	w.p = copied
	var err error
	for i := range 6 { // so that it is ahead
		w.edit(a+i, b)
		err = errors.Join(err, w.signed(nil, w.publish))
	}
	w.p = good
	if err := errors.Join(err, w.serve(copied)); err != nil {
		return err
	}
	w.heard()
	if err := w.look(false, false); err != nil {
		return err
	}
	if err := w.serve(w.p); err != nil {
		return err
	}
	// That mirror now knows what the source never had.
	opened, err := w.open(w.p, w.trust)
	if err != nil {
		return err
	}
	if w.readers[1], err = w.mirror(opened, new(stores.Options)); err != nil {
		return err
	}
	return w.well()
}

// heard waits until the mirrors have asked the source some times, and so have used an answer.
func (w *world) heard() {
	const times = 8
	for until, enough := time.Now().Add(10*time.Second), w.asked.Load()+times; w.asked.Load() < enough && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
}

// lie lets the source answer wrongly, while there is something new or not.
func (w *world) lie(a, b int) error {
	w.lies.Store(int64(1 + a%(lies-1)))
	if b%2 == 0 {
		w.edit(a, b)
		if err := w.signed(nil, w.publish); err != nil {
			return err
		}
	}
	w.heard()
	err := w.look(false, false)
	w.lies.Store(0)
	if err != nil {
		return err
	}
	return w.well()
}

// look looks at every page: nothing erased is read, nothing known vanishes, and no page fails.
// If a publisher is halfway, texts that it erases may be missing, and if the source is not well,
// mirrors may lack texts that they did not need yet.
func (w *world) look(halfway, sourceWell bool) error {
	for _, r := range w.readers {
		state := r.register.State()
		for id := range r.known {
			if !slices.ContainsFunc(state.Documents(), func(d *register.Document) bool { return d.ID == id }) {
				return fmt.Errorf("the %s no longer knows %s: %v", r.name, id, r.register.Failures())
			}
		}
		for _, d := range state.Documents() {
			r.known[d.ID] = true
			paths := []string{"/d", "/d.json", "/api/v2/documents/" + d.Slug + "/history"}
			for _, form := range []string{"", ".json", ".resolved.json", ".md", ".jsonld", "/history", "/sign.html"} {
				paths = append(paths, "/d/"+d.Slug+form)
			}
			for _, e := range d.Editions {
				paths = append(paths, "/d/"+d.Slug+"/history/"+e.Short(), "/api/v2/documents/"+d.Slug+"?edition="+strings.TrimPrefix(e.Hash.String(), "sha256-"))
			}
			for _, path := range paths {
				answer := httptest.NewRecorder()
				r.pages.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
				body := answer.Body.String()
				for _, mark := range w.erased {
					if !halfway && strings.Contains(body, mark) {
						return fmt.Errorf("the %s shows %s, which was erased, at %s", r.name, mark, path)
					}
				}
				if strings.Contains(body, "forged") {
					return fmt.Errorf("the %s shows what its source forged at %s", r.name, path)
				}
				if answer.Code >= 500 && !halfway && (sourceWell || r.name == "reader") {
					return fmt.Errorf("the %s answers %s with %d: %s", r.name, path, answer.Code, body)
				}
			}
		}
	}
	return nil
}

// well waits until all readers are as the store is, and then looks.
func (w *world) well() error {
	want, err := w.list()
	if err != nil {
		return err
	}
	describe := func(list []*register.Document) string {
		var b strings.Builder
		for _, d := range list {
			fmt.Fprintf(&b, "%s %s %v %s %v", d.ID, d.Slug, d.Slugs, d.Current, d.Withdrawn != nil)
			for _, e := range d.Editions {
				fmt.Fprintf(&b, " %s %v", e.Short(), e.Erased != nil)
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	for _, r := range w.readers {
		until := time.Now().Add(20 * time.Second)
		for describe(r.register.State().Documents()) != describe(want) || len(r.register.Failures()) > 0 {
			if time.Now().After(until) {
				return fmt.Errorf("the %s does not become what the store is, %v\nhas\n%swants\n%s", r.name, r.register.Failures(), describe(r.register.State().Documents()), describe(want))
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
	for name, text := range w.p.files() { // texts are gone from the store, too
		for _, mark := range w.erased {
			if strings.HasPrefix(name, "documents/") && strings.Contains(text, mark) {
				return fmt.Errorf("%s has %s, which was erased", name, mark)
			}
		}
	}
	if found := w.problems(); len(found) > 0 {
		return fmt.Errorf("check finds %s", strings.Join(found, " "))
	}
	return w.look(false, true)
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
