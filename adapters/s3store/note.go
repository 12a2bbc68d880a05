package s3store

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/authoring/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

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
	// written again. It is much shorter than any sensible [TargetOptions.Keep].
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
	if now, nowErr := t.bucket.get(ctx, noteOf(dir), "", maxNote); nowErr == nil && bytes.Equal(now.data, text) {
		return now.etag, nil
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
	last, err := t.bucket.get(ctx, noteOf(dir), "", maxNote)
	c := condition{absent: true}
	switch {
	case isMissing(err):
	case err != nil:
		return err
	default:
		var n note
		// What is not a note was not written by a publisher that removes.
		if json.Unmarshal(last.data, &n) == nil && n.Removing && last.now.Sub(last.modified) < removalLease {
			return fmt.Errorf("%s: %w: it is being removed; if this does not end, try again in %v", dir, publish.ErrConflict, removalLease)
		}
		c = condition{etag: last.etag}
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
