package stores_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
)

// indexes are the files that have a sequence.
var indexes = []string{layout.IndexFile, layout.DocumentsIndex}

// lastSequence finds the sequence of an index, which is after those of its documents.
var lastSequence = regexp.MustCompile(`"sequence":\d+(,"versions"|(?:}$))`)

// setSequence changes the sequence of an index without a key.
func (p *place) setSequence(t *testing.T, name string, to int64) {
	t.Helper()
	p.edit(t, name, func(text string) string {
		require.Regexp(t, lastSequence, text)
		return lastSequence.ReplaceAllString(text, `"sequence":`+strconv.FormatInt(to, 10)+"$1")
	})
}

// counts returns the sequences of the indexes of the store, and the sizes of the log that they name.
func (p *place) counts(t *testing.T) map[string]layout.Count {
	t.Helper()
	counts := make(map[string]layout.Count)
	for _, name := range indexes {
		var x struct {
			Sequence int64 `json:"sequence"`
			LogSize  int64 `json:"log_size"`
		}
		require.NoError(t, json.Unmarshal([]byte(p.text(t, name)), &x))
		counts[name] = layout.Count{Sequence: x.Sequence, LogSize: x.LogSize}
	}
	return counts
}

// follower reads a store and its documents as a server does.
type follower struct {
	store    taxonomy.Store
	register *register.Register
}

// follow returns readers of each kind: of the directory or bucket and, if it is a directory, of a
// file system, as embedded stores are read.
func (p *place) follow(t *testing.T, trusted *trust.Trust) map[string]*follower {
	t.Helper()
	opened, err := p.read(t, stores.Options{Trust: trusted, Follow: true, Refresh: 10 * time.Millisecond})
	require.NoError(t, err)
	kinds := map[string]*stores.Opened{"followed": opened}
	if filepath.IsAbs(p.store) {
		log := follow.With(trusted, "")
		s, err := fsstore.Open(os.DirFS(p.store), &fsstore.Options{Verify: log.Verify})
		require.NoError(t, err)
		kinds["file system"] = &stores.Opened{Store: s, Log: log}
	}
	followers := make(map[string]*follower)
	for kind, opened := range kinds {
		r, err := register.New(sampleService(t), []register.Origin{opened.Documents("the store")}, &register.Options{Refresh: 10 * time.Millisecond})
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, r.Close()) })
		followers[kind] = &follower{opened.Store, r}
	}
	return followers
}

// alarm returns what is wrong with an index although it is read.
func (f *follower) alarm(t *testing.T, name string) error {
	t.Helper()
	if name == layout.IndexFile {
		_, err := f.store.Index(t.Context())
		return errors.Join(err, f.store.(interface{ Err() error }).Err())
	}
	for _, failed := range f.register.Failures() {
		return failed.Err
	}
	return nil
}

// TestFalseSequence changes the sequence of an index, and nothing else. Readers go on with the honest
// index without a restart, and with what is published on top of a false one.
func TestFalseSequence(t *testing.T) {
	key := newKey(t)
	trusted := trusting(t, key, nil)
	pubs, from, more := layouttest.Publications(), registerOf(t, "air-station.json", "wifi-counter.json"), registerOf(t, "benefits.json")
	type forgery struct {
		sequence int64
		log      bool
		doubted  bool // readers say so
		final    bool // the honest index counts as older then
	}
	for name, c := range map[string]forgery{
		"2^53-1":                    {1<<53 - 1, true, true, false},
		"2^53-1, no log":            {1<<53 - 1, false, true, false},
		"above the maximum, no log": {layout.MaxSequence + 1, false, true, false},
		"maximum":                   {layout.MaxSequence, true, true, false},
		"2^40":                      {1 << 40, true, true, false},
		"2^40, no log":              {1 << 40, false, false, true}, // readers may have been away
		"a hundred":                 {100, true, true, false},
		"low":                       {1, true, false, false},
	} {
		for kind, create := range places() {
			for _, index := range indexes {
				t.Run(name+"/"+kind+"/"+index, func(t *testing.T) {
					t.Parallel()
					p, key, trusted := create(t), key, trusted
					if !c.log {
						key, trusted = nil, nil
					}
					p.publish(t, key, pubs[0])
					p.register(t, key, from)
					p.publish(t, key, pubs[1])
					p.register(t, key, from, "market-square-air")
					readers := p.follow(t, trusted)
					good := p.save()
					p.setSequence(t, index, c.sequence)
					for kind, f := range readers {
						if c.doubted {
							eventually(t, func() bool { return f.alarm(t, index) != nil })
							require.ErrorIs(t, f.alarm(t, index), layout.ErrSequence, kind)
							require.ErrorContains(t, f.alarm(t, index), index+" has the sequence "+strconv.FormatInt(c.sequence, 10))
						}
						require.Equal(t, []int{2, 2}, f.has(t), kind)
					}
					late, err := p.read(t, stores.Options{Trust: trusted})
					if err == nil {
						_, err = register.ListStored(t.Context(), late.Store.(register.Files), late.Log)
					}
					if c.sequence > layout.MaxSequence { // and there is no last good index
						require.ErrorIs(t, err, layout.ErrSequence)
					} else {
						require.NoError(t, err)
						for kind, f := range p.follow(t, trusted) {
							readers["late, "+kind] = f
						}
					}
					bad := p.save()
					if good(); !c.final {
						for kind, f := range readers {
							eventually(t, func() bool { return f.alarm(t, index) == nil })
							require.Equal(t, []int{2, 2}, f.has(t), kind)
						}
					}
					bad()
					err = p.change(t.Context(), nil, key, func(target publish.Target) error {
						if index == layout.IndexFile {
							_, err := publish.Publish(t.Context(), target, pubs[2:3], nil)
							return err
						}
						_, err := publishing.Documents(t.Context(), target, more, nil)
						return err
					})
					if c.sequence >= layout.MaxSequence {
						require.ErrorIs(t, err, layout.ErrSequence)
						require.ErrorContains(t, err, "restore it, or set the sequence that it had")
						if c.sequence > layout.MaxSequence {
							require.ErrorContains(t, err, index+" has the sequence "+strconv.FormatInt(c.sequence, 10))
						}
						return
					}
					require.NoError(t, err)
					for kind, f := range readers {
						eventually(t, func() bool { n := f.has(t); return n[0]+n[1] == 5 })
						if index == layout.IndexFile {
							require.Equal(t, []int{3, 2}, f.has(t), kind)
						}
					}
				})
			}
		}
	}
}

// has returns how many versions and documents are read.
func (f *follower) has(t *testing.T) []int {
	t.Helper()
	x, err := f.store.Index(t.Context())
	require.NoError(t, err)
	return []int{x.Len(), len(f.register.State().Documents())}
}

// TestSequenceAndLog changes the indexes of a store in every way: no sequence grows by more than the
// log, and readers follow, with and without a trust file.
func TestSequenceAndLog(t *testing.T) {
	key := newKey(t)
	pubs := layouttest.Publications()
	from := registerOf(t, "air-station.json", "wifi-counter.json")
	elsewhere := func(settings string) *register.Register {
		dir := t.TempDir()
		for _, name := range []string{"air-station.json", "wifi-counter.json"} {
			copySample(t, name, dir)
			require.NoError(t, os.Rename(filepath.Join(dir, name), filepath.Join(dir, "moved-"+name)))
		}
		r := registerIn(t, dir)
		if settings != "" {
			put(t, dir, "register.yaml", settings)
			eventually(t, func() bool { return r.State().Settings().Publisher.Name == nil })
		}
		return r
	}
	moved, renamed := elsewhere(""), elsewhere("title: {en: Systems}\n")
	draw := &publish.Options{Icon: func(*taxonomy.Release, *taxonomy.Element, string) ([]byte, error) { return []byte("<svg/>"), nil }}
	for kind, create := range places() {
		t.Run(kind, func(t *testing.T) {
			p := create(t)
			p.publish(t, key, pubs[:3]...)
			p.register(t, key, from)
			readers := []*follower{p.follow(t, trusting(t, key, nil))["followed"], p.follow(t, nil)["followed"]}
			old := p.text(t, layout.IndexFile)
			documents := func(r *register.Register) func(target publish.Target) error {
				return func(target publish.Target) error {
					_, err := publishing.Documents(t.Context(), target, r, nil)
					return err
				}
			}
			again := func(target publish.Target) error {
				_, err := publish.Publish(t.Context(), target, pubs[:1], nil)
				return err
			}
			for _, step := range []struct {
				name   string
				change func(target publish.Target) error
				grows  int64 // both sequences together
			}{
				{"nothing", again, 0},
				{"versions", func(target publish.Target) error {
					_, err := publish.Publish(t.Context(), target, pubs[3:], nil)
					return err
				}, 1},
				{"icons", func(target publish.Target) error {
					_, err := publish.Bake(t.Context(), target, []*taxonomy.Release{pubs[0].Release}, draw)
					return err
				}, 1},
				{"a state", func(target publish.Target) error {
					_, err := publish.Deprecate(t.Context(), target, pubs[0].Release.Version(), taxonomy.State{Deprecated: "2026-11-01"})
					return err
				}, 1},
				{"an evolution", func(target publish.Target) error {
					_, err := publish.Publish(t.Context(), target, nil, &publish.Options{Evolutions: map[string][]byte{"ai": []byte("{}")}})
					return err
				}, 1},
				{"a retired version", func(target publish.Target) error {
					_, err := publish.Retire(t.Context(), target, nil, taxonomy.RetiredVersion{ID: pubs[2].Release.Version()})
					return err
				}, 1},
				{"a file that was moved", documents(moved), 0},
				{"settings", documents(renamed), 1},
				{"a withdrawal", func(target publish.Target) error {
					_, err := publishing.Withdraw(t.Context(), target, "market-square-air", "It was removed")
					return err
				}, 1},
				{"an erasure", func(target publish.Target) error {
					_, err := publishing.Erase(t.Context(), target, "market-square-air", taxonomy.Hash{}, "A secret")
					return err
				}, 1},
				{"an old copy", func(target publish.Target) error {
					_, rev, err := target.Read(t.Context(), layout.IndexFile)
					require.NoError(t, errors.Join(err, target.Replace(t.Context(), layout.IndexFile, []byte(old), rev)))
					return again(target)
				}, -1},
				{"a lost index", func(target publish.Target) error {
					require.NoError(t, target.Delete(t.Context(), layout.IndexFile))
					return again(target)
				}, -1},
			} {
				before := p.counts(t)
				text := p.text(t, layout.DocumentsIndex)
				require.NoError(t, p.change(t.Context(), nil, key, step.change), step.name)
				after, grown := p.counts(t), int64(0)
				for _, name := range indexes {
					sequence, log := after[name].Sequence-before[name].Sequence, after[name].LogSize-before[name].LogSize
					require.GreaterOrEqual(t, sequence, int64(0), "%s: %s", step.name, name)
					require.LessOrEqual(t, after[name].Sequence, after[name].LogSize, "%s: %s", step.name, name)
					if grown += sequence; step.grows >= 0 {
						require.LessOrEqual(t, sequence, log, "%s: %s", step.name, name)
					}
				}
				if step.grows >= 0 {
					require.Equal(t, step.grows, grown, step.name)
				}
				if step.name == "a file that was moved" {
					require.NotEqual(t, text, p.text(t, layout.DocumentsIndex))
				}
				for _, f := range readers {
					for _, name := range indexes {
						eventually(t, func() bool { return f.alarm(t, name) == nil })
					}
				}
			}
			for _, f := range readers {
				eventually(t, func() bool {
					d, ok := f.register.State().Document("market-square-air")
					return ok && d.Withdrawn != nil
				})
				require.Equal(t, []int{5, 2}, f.has(t))
			}
		})
	}
}
