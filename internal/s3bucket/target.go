package s3bucket

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// defaultKeep is the default of [Options.Keep].
const defaultKeep = 24 * time.Hour

// Options configure a [Target]. The zero value and nil are the defaults.
type Options struct {
	Access
	// Keep is how long what was written, or what left the index, is kept at
	// least, whatever [publish.Options] say: readers may still use it, and a
	// publisher may be about to name it in the index. 0 means a day;
	// use a negative value only if there are neither.
	Keep time.Duration
}

// Target is a bucket that releases are published into, with package publish. Other
// publishers may use the same bucket at the same time. A Target itself is used by one
// publisher. Make one with [Open].
type Target struct {
	bucket *Bucket
	keep   time.Duration
	// probed reports whether the server is known to honor conditions.
	probing sync.Mutex
	probed  bool
	// claims are the notes that this publisher has written, by directory.
	claims map[string]time.Time
	// seen is what Stored has listed, by directory.
	seen map[string]seen
}

var (
	_ publish.Shared = (*Target)(nil)
	_ publish.Files  = (*Target)(nil)
)

// Open opens an address such as s3://bucket/prefix for publishing. It makes no
// request to the bucket, which must exist. Close the target after use.
func Open(ctx context.Context, at string, o *Options) (*Target, error) {
	if o == nil {
		o = new(Options)
	}
	b, err := Connect(ctx, at, &o.Access, Retries{Attempts: 5, Delay: 5 * time.Second})
	if err != nil {
		return nil, &publish.Error{Op: "open", Target: at, Err: err}
	}
	return &Target{bucket: b, keep: cmp.Or(o.Keep, defaultKeep), claims: make(map[string]time.Time)}, nil
}

// Close closes connections that are not in use.
func (t *Target) Close() error {
	t.bucket.Close()
	return nil
}

// String returns the address.
func (t *Target) String() string { return t.bucket.String() }

// Index returns the content of index.json.
func (t *Target) Index(ctx context.Context) ([]byte, publish.Revision, error) {
	return t.Read(ctx, published.IndexFile)
}

// ReplaceIndex replaces index.json if it has the revision.
func (t *Target) ReplaceIndex(ctx context.Context, text []byte, rev publish.Revision) error {
	return t.Replace(ctx, published.IndexFile, text, rev)
}

// Read returns the content of an object. Its revision is the entity tag.
func (t *Target) Read(ctx context.Context, name string) ([]byte, publish.Revision, error) {
	got, err := t.bucket.Get(ctx, name, "", published.MaxIndex)
	switch {
	case IsMissing(err):
		return nil, "", nil
	case err != nil:
		return nil, "", err
	case got.ETag == "":
		return nil, "", fmt.Errorf("s3store: %s: the server sends no entity tag: it can't be used for publishing", t.bucket.Object(name))
	}
	return got.Data, publish.Revision(got.ETag), nil
}

// Replace replaces an object if it has the revision.
//
// If the answer of the server was lost, the client has repeated the request, and was
// refused because of its own success; or it is not known what became of the request.
// In either case the object shows it.
func (t *Target) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	if err := t.probe(ctx); err != nil {
		return err
	}
	_, err := t.bucket.put(ctx, name, bytes.NewReader(text), mimeJSON, condition{absent: rev == "", etag: string(rev)})
	if err == nil {
		return nil
	}
	now, _, readErr := t.Read(ctx, name)
	switch {
	case readErr == nil && bytes.Equal(now, text):
		return nil
	case isRefused(err):
		return fmt.Errorf("%s: %w", name, publish.ErrConflict)
	case readErr != nil:
		return fmt.Errorf("%w; %s could not be read either, so it may have been replaced: publish again", err, name)
	}
	return err
}

// Delete deletes an object.
func (t *Target) Delete(ctx context.Context, name string) error { return t.bucket.remove(ctx, name) }

// List returns the names of the objects below a directory.
func (t *Target) List(ctx context.Context, dir string) (names []string, err error) {
	found, _, err := t.bucket.list(ctx, dir+"/")
	for _, o := range found {
		names = append(names, strings.TrimPrefix(o.name, dir+"/"))
	}
	return names, err
}

// Open opens an object.
func (t *Target) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return t.bucket.open(ctx, name)
}

const (
	mimeJSON = "application/json"
	mimePack = "application/octet-stream"
)

// Add writes an object. Its size must be known first, so it is written to a temporary
// file before.
func (t *Target) Add(ctx context.Context, dir string, f publish.File) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := t.claim(ctx, dir); err != nil {
		return err
	}
	spool, err := os.CreateTemp("", "datachain-*")
	if err != nil {
		return fmt.Errorf("s3store: temporary file: %w", err)
	}
	defer func() {
		err = errors.Join(err, spool.Close(), os.Remove(spool.Name()))
	}()
	if err := f.Write(spool); err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("s3store: temporary file: %w", err)
	}
	mime := mimePack
	if path.Ext(f.Name) == ".json" {
		mime = mimeJSON
	}
	_, err = t.bucket.put(ctx, path.Join(dir, f.Name), spool, mime, condition{})
	return err
}

// Create creates an object. If the answer of the server was lost, its own success may
// look like that of another publisher.
func (t *Target) Create(ctx context.Context, name string, text []byte) error {
	if err := t.probe(ctx); err != nil {
		return err
	}
	mime := "text/plain"
	if path.Ext(name) == ".json" {
		mime = mimeJSON
	}
	_, err := t.bucket.put(ctx, name, bytes.NewReader(text), mime, condition{absent: true})
	if isRefused(err) {
		return fmt.Errorf("%s: %w", name, fs.ErrExist)
	}
	return err
}

// Touch notes that a release was used now.
func (t *Target) Touch(ctx context.Context, dir string) error {
	delete(t.claims, dir)
	return t.claim(ctx, dir)
}

// seen is a directory when it was listed.
type seen struct {
	objects []string
	note    string    // the tag of its note, "" for none
	since   time.Time // of the newest object or the note
}

// Stored lists the directories of releases that were not written or touched for a
// while. It ignores everything that is not part of the published.
func (t *Target) Stored(ctx context.Context) (stored []publish.Stored, err error) {
	found, now, err := t.bucket.list(ctx, "")
	if err != nil {
		return nil, err
	}
	t.seen = group(found)
	for dir, s := range t.seen {
		if len(s.objects) == 0 || t.keep > 0 && now.Sub(s.since) < t.keep {
			continue
		}
		v, h, _ := published.ParseDir(dir)
		one := publish.Stored{Dir: dir, Version: v, Hash: h, Since: s.since}
		for _, name := range s.objects {
			if sum, ok := published.ParsePack(path.Base(name)); ok {
				one.Packs = append(one.Packs, sum)
			}
		}
		stored = append(stored, one)
	}
	return stored, nil
}

// group returns the directories of releases in a list of objects, with their notes.
func group(found []listed) map[string]seen {
	all := make(map[string]seen)
	for _, o := range found {
		dir, isNote := strings.CutPrefix(o.name, published.Unlinked+"/")
		if _, _, ok := published.ParseDir(dir); !ok || !isNote {
			isNote = false
			parts := strings.SplitN(o.name, "/", 4)
			dir = strings.Join(parts[:min(3, len(parts))], "/")
			if _, _, ok := published.ParseDir(dir); !ok || len(parts) < 4 {
				continue
			}
		}
		s := all[dir]
		if isNote {
			s.note = o.etag
		} else {
			s.objects = append(s.objects, o.name)
		}
		if o.modified.After(s.since) {
			s.since = o.modified
		}
		all[dir] = s
	}
	return all
}

// Remove removes the objects of a release, and its note.
func (t *Target) Remove(ctx context.Context, s publish.Stored) error {
	known, err := t.unchanged(ctx, s)
	if err != nil || len(known.objects) == 0 {
		return err
	}
	return t.whileRemoving(ctx, s.Dir, known.note, func(ctx context.Context, e taxonomy.Entry) (empty bool, err error) {
		if e.ContentHash == s.Hash {
			return false, fmt.Errorf("%s: %w", s.Dir, publish.ErrConflict)
		}
		for _, name := range known.objects {
			if err := t.bucket.remove(ctx, name); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// RemovePacks removes packs of a release.
func (t *Target) RemovePacks(ctx context.Context, s publish.Stored, packs ...taxonomy.Hash) error {
	known, err := t.unchanged(ctx, s)
	if err != nil || len(known.objects) == 0 {
		return err
	}
	return t.whileRemoving(ctx, s.Dir, known.note, func(ctx context.Context, e taxonomy.Entry) (empty bool, err error) {
		for _, sum := range packs {
			if e.ContentHash == s.Hash && e.Pack == sum {
				return false, fmt.Errorf("%s: %w", s.Dir, publish.ErrConflict)
			}
			if err := t.bucket.remove(ctx, path.Join(s.Dir, published.PackOf(sum))); err != nil {
				return false, err
			}
		}
		return false, nil
	})
}

// unchanged returns a directory as Stored has listed it. If that was not what s says,
// it wraps [publish.ErrConflict].
func (t *Target) unchanged(ctx context.Context, s publish.Stored) (seen, error) {
	known, ok := t.seen[s.Dir]
	if !ok {
		found, _, err := t.bucket.list(ctx, s.Dir+"/")
		if err != nil {
			return known, err
		}
		known = group(found)[s.Dir]
	}
	if len(known.objects) > 0 && !known.since.Equal(s.Since) {
		return known, fmt.Errorf("%s: %w", s.Dir, publish.ErrConflict)
	}
	return known, nil
}

// ErrNoConditions is wrapped by the errors of a [Target] if the server ignores the
// conditions of requests: two publishers could replace the index at the same time,
// and what one of them has published would be lost.
var ErrNoConditions = errors.New("the server ignores If-Match and If-None-Match when objects are written")

const (
	// probeName is the object that is written to find that out. It stays.
	probeName = "probe"
	probeText = "Publishers write this object to find out whether the server honors conditions.\n"
	// noTag is a tag that no object has.
	noTag = `"00000000000000000000000000000000"`
)

// probe finds out once whether the server honors conditions, before anything else is
// written.
func (t *Target) probe(ctx context.Context) error {
	t.probing.Lock()
	defer t.probing.Unlock()
	if t.probed {
		return nil
	}
	write := func(c condition) error {
		_, err := t.bucket.put(ctx, path.Join(published.Unlinked, probeName), strings.NewReader(probeText), "text/plain", c)
		return err
	}
	// The first one may create the object.
	err := write(condition{absent: true})
	if err == nil {
		err = write(condition{absent: true})
	}
	if isRefused(err) {
		err = write(condition{etag: noTag})
	}
	switch {
	case err == nil:
		return fmt.Errorf("s3store: %s: %w: use a server that honors them, or publish into a directory and copy that", t.bucket, ErrNoConditions)
	case !isRefused(err):
		return err
	}
	t.probed = true
	return nil
}

// A bucket has neither locks nor transactions. What keeps a publisher that removes a
// release from one that is about to use it again is the note of the release, an object
// that both replace conditionally:
//
//   - A publisher writes the note before it writes or reuses objects of a release, and
//     before the release leaves the index. It waits if the note says that the release
//     is being removed.
//   - A publisher that removes a release first writes into the note that it does, if
//     the note still is the one that it has judged by. So of the two, one comes first.
//     Then it reads the index again: what that names stays.
//
// A publisher that dies while it removes something leaves such a note behind. Others
// ignore it after a time in which that publisher would have stopped by itself.
const (
	// removalTime is how long a publisher may take to remove a release, and
	// removalLease how long others wait for it.
	removalTime  = time.Minute
	removalLease = 5 * time.Minute
	// claimTime is how long a note that this publisher has written need not be
	// written again. It is much shorter than any sensible [Options.Keep].
	claimTime = 10 * time.Minute
)

// maxNote is the size limit of a note.
const maxNote = 4 << 10

// note is the content of a note. It is different each time, and so is its tag.
type note struct {
	// Time is for people. The time of the object counts.
	Time time.Time `json:"time"`
	// Removing reports that the release is being removed.
	Removing bool `json:"removing,omitzero"`
	// Nonce makes two notes of the same time different.
	Nonce string `json:"nonce"`
}

func noteOf(dir string) string { return path.Join(published.Unlinked, dir) }

// writeNote writes the note of a directory on a condition, and returns its tag. A
// refusal wraps [publish.ErrConflict], unless it is only about an answer that was
// lost.
func (t *Target) writeNote(ctx context.Context, dir string, removing bool, c condition) (etag string, err error) {
	text, err := json.Marshal(note{time.Now().UTC().Truncate(time.Millisecond), removing, rand.Text()})
	if err != nil {
		return "", err
	}
	etag, err = t.bucket.put(ctx, noteOf(dir), bytes.NewReader(text), mimeJSON, c)
	if err == nil {
		return etag, nil
	}
	if now, nowErr := t.bucket.Get(ctx, noteOf(dir), "", maxNote); nowErr == nil && bytes.Equal(now.Data, text) {
		return now.ETag, nil
	}
	if isRefused(err) {
		err = fmt.Errorf("%s: %w", dir, publish.ErrConflict)
	}
	return "", err
}

// claim writes the note of a directory that is about to be used or to leave the index,
// unless this publisher has just done so.
func (t *Target) claim(ctx context.Context, dir string) error {
	if since, ok := t.claims[dir]; ok && time.Since(since) < claimTime {
		return nil
	}
	if err := t.probe(ctx); err != nil {
		return err
	}
	began := time.Now()
	last, err := t.bucket.Get(ctx, noteOf(dir), "", maxNote)
	c := condition{absent: true}
	switch {
	case IsMissing(err):
	case err != nil:
		return err
	default:
		var n note
		// What is not a note was not written by a publisher that removes.
		if json.Unmarshal(last.Data, &n) == nil && n.Removing && last.now.Sub(last.modified) < removalLease {
			return fmt.Errorf("%s: %w: it is being removed; if this does not end, try again in %v", dir, publish.ErrConflict, removalLease)
		}
		c = condition{etag: last.ETag}
	}
	if _, err := t.writeNote(ctx, dir, false, c); err != nil {
		return err
	}
	t.claims[dir] = began
	return nil
}

// whileRemoving calls remove while no other publisher can begin to use a directory
// whose note has a tag, "" for none. It passes on what the index says of the version
// now. If remove reports that nothing is left, the note is removed, too.
func (t *Target) whileRemoving(ctx context.Context, dir, tag string, remove func(ctx context.Context, e taxonomy.Entry) (empty bool, err error)) error {
	if err := t.probe(ctx); err != nil {
		return err
	}
	delete(t.claims, dir)
	ctx, cancel := context.WithTimeout(ctx, removalTime)
	defer cancel()
	tag, err := t.writeNote(ctx, dir, true, condition{absent: tag == "", etag: tag})
	if err != nil {
		return err
	}
	empty := false
	e, err := t.entry(ctx, dir)
	if err == nil {
		empty, err = remove(ctx, e)
	}
	if empty {
		return t.bucket.remove(ctx, noteOf(dir))
	}
	// The note no longer keeps others away. If this fails, they wait longer.
	_, noteErr := t.writeNote(ctx, dir, false, condition{etag: tag})
	return errors.Join(err, noteErr)
}

// entry returns what the index says now of the version in a directory.
func (t *Target) entry(ctx context.Context, dir string) (e taxonomy.Entry, err error) {
	text, _, err := t.Index(ctx)
	if err != nil || text == nil {
		return e, err
	}
	index, err := taxonomy.DecodeIndex(text)
	if err != nil {
		return e, err
	}
	v, _, _ := published.ParseDir(dir)
	e, _ = index.Lookup(v.Ref())
	return e, nil
}
