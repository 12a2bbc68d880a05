package fsstore

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// closeRead closes what was only read, so that no error can lose anything.
func closeRead(c io.Closer) { _ = c.Close() }

// read reads a release for the loader.
func (s *Store) read(_ context.Context, e taxonomy.Entry) (*published.Opened, error) {
	for {
		at, err := s.enter()
		var o *published.Opened
		if err == nil {
			o, err = s.readRelease(at.fsys, e)
		}
		at.leave()
		if err == nil {
			return o, nil
		}
		// The directory may have been replaced while it was read.
		now, replaced := s.enter()
		now.leave()
		if replaced != nil || now.folder == at.folder {
			return nil, s.wrap(fmt.Errorf("release %s: %w", e.ID, err))
		}
	}
}

// file reads a file that a release may have besides its content.
func (s *Store) file(name string, limit int64) ([]byte, error) {
	at, _ := s.enter() // if the directory is missing, Index fails
	defer at.leave()
	data, _, err := published.ReadFile(at.fsys, name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, taxonomy.ErrNotFound
	}
	return data, err
}

// ReadFile reads a file besides the releases, such as a published document, of at most
// limit bytes. The tag that it returns changes with the content; if it is the given one,
// text is nil. If there is no such file, it wraps [fs.ErrNotExist].
func (s *Store) ReadFile(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	at, err := s.enter()
	defer at.leave()
	if err != nil {
		return nil, "", s.wrap(err)
	}
	stamp := func(info fs.FileInfo) string {
		id, changed, _ := identity(info)
		if time.Since(info.ModTime()) < settle {
			return "" // it can change again without a new time
		}
		return fmt.Sprint(id, changed.UnixNano(), info.Size(), info.ModTime().UnixNano())
	}
	if tag != "" {
		if info, err := fs.Stat(at.fsys, name); err == nil && stamp(info) == tag {
			return nil, tag, nil
		}
	}
	text, info, err := published.ReadFile(at.fsys, name, limit)
	if err != nil {
		return nil, "", s.wrap(err)
	}
	return text, stamp(info), nil
}

// readRelease reads the release of an index entry, with its pack if it has one. A
// release that is not the one that the entry names wraps
// [taxonomy.ErrHashMismatch].
func (s *Store) readRelease(fsys fs.FS, e taxonomy.Entry) (*published.Opened, error) {
	if !e.Pack.IsZero() {
		return s.readPacked(fsys, e)
	}
	dir := published.Dir(e.ID, e.ContentHash)
	text, _, err := published.ReadFile(fsys, path.Join(dir, published.ReleaseFile), s.opt.MaxRelease)
	if err != nil {
		return nil, err
	}
	symbols, err := readSymbols(fsys, path.Join(dir, published.Symbols), s.opt.MaxRelease-int64(len(text)), s.opt.MaxSVG)
	if err != nil {
		return nil, err
	}
	r, err := published.Decode(text, symbols, e)
	return &published.Opened{Release: r}, err
}

// readSymbols reads the symbols of a release, at most left bytes together. It
// ignores files that are not named like a symbol; the content hash shows whether
// a symbol is missing. The directory does not exist if there are no symbols.
func readSymbols(fsys fs.FS, dir string, left, maxEach int64) (map[string]string, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	symbols := make(map[string]string, len(entries))
	for _, entry := range entries {
		id, ok := published.SymbolID(entry.Name())
		if !ok {
			continue
		}
		svg, _, err := published.ReadFile(fsys, path.Join(dir, entry.Name()), min(left, maxEach))
		if err != nil {
			return nil, err
		}
		left -= int64(len(svg))
		symbols[id] = string(svg)
	}
	return symbols, nil
}

// A release.json is read completely and kept in memory, a pack as far as it is needed.
// Neither is mapped: a file that a careless copy truncates would end the process, and a
// mapping could never be removed, since texts of a release are used after the release.

// source is an open file that is read at any position.
type source struct {
	io.ReaderAt
	file fs.File
	info fs.FileInfo
}

// openSource opens a regular file of at most limit bytes. The caller closes it.
func openSource(fsys fs.FS, name string, limit int64) (*source, error) {
	f, info, err := published.OpenFile(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, errors.Join(published.TooLarge(name, info.Size(), limit), f.Close())
	}
	at, ok := f.(io.ReaderAt)
	if !ok {
		data := make([]byte, info.Size())
		if _, err := io.ReadFull(f, data); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		at = bytes.NewReader(data)
	}
	return &source{at, f, info}, nil
}

// Size returns the size that the file had when it was opened.
func (s *source) Size() int64 { return s.info.Size() }

// unchanged reports whether the file certainly is as it was when it was opened.
func (s *source) unchanged() bool {
	now, err := s.file.Stat()
	return err == nil && same(s.info, now)
}

// same reports whether two descriptions are certainly of the same file with the same
// content.
func same(a, b fs.FileInfo) bool {
	_, before, ok := identity(a)
	_, after, known := identity(b)
	return ok && known && before.Equal(after) && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// readPacked reads a packed release. If its files were verified before, it reads only what
// is needed.
func (s *Store) readPacked(fsys fs.FS, e taxonomy.Entry) (*published.Opened, error) {
	dir := published.Dir(e.ID, e.ContentHash)
	text, err := openSource(fsys, path.Join(dir, published.ReleaseFile), s.opt.MaxRelease)
	if err != nil {
		return nil, err
	}
	defer closeRead(text.file)
	name := path.Join(dir, published.PackFile)
	file, err := openSource(fsys, name, s.opt.MaxRelease)
	if errors.Is(err, fs.ErrNotExist) {
		// A bucket that was copied into a directory has the pack under another name.
		other := path.Join(dir, published.PackOf(e.Pack))
		if found, otherErr := openSource(fsys, other, s.opt.MaxRelease); otherErr == nil {
			name, file, err = other, found, nil
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", err, published.Republish)
	case err != nil:
		return nil, err
	}
	defer closeRead(file.file)
	remembered := verified{s.opt.VerifiedDir}
	key := remembered.key(s.name, e, text.info, file.info)
	if remembered.has(key) {
		if o, err := published.OpenVerified(text, file, e, name, s.opt.MaxSVG); err == nil {
			o.Pack = o.Pack.From(&reopened{s, name, file.info})
			return o, nil
		}
	}
	if !file.unchanged() { // files have no identity here: keep what is verified
		data := make(published.Memory, file.Size())
		if n, err := file.ReadAt(data, 0); n < len(data) {
			return nil, err
		}
		return published.Verify(text, data, e, name, s.opt.MaxSVG)
	}
	o, err := published.Verify(text, file, e, name, s.opt.MaxSVG)
	if err != nil {
		return nil, err
	}
	if o.Formed && text.unchanged() && file.unchanged() {
		remembered.add(key)
	}
	o.Pack = o.Pack.From(&reopened{s, name, file.info})
	return o, nil
}

// reopened is a file that is opened for each read. An open file would keep a directory
// from being unmounted, and on some systems a publisher from replacing the file.
type reopened struct {
	store *Store
	name  string
	info  fs.FileInfo
}

// ReadAt reads at a position. The error wraps [taxonomy.ErrNotFound] if the file is gone
// or is another one now.
func (f *reopened) ReadAt(data []byte, at int64) (int, error) {
	where, _ := f.store.enter() // if the directory is missing, Index fails
	defer where.leave()
	file, err := openSource(where.fsys, f.name, f.store.opt.MaxRelease)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s: %w", f.name, taxonomy.ErrNotFound)
	}
	if err != nil {
		return 0, err
	}
	defer closeRead(file.file)
	if !same(f.info, file.info) {
		return 0, fmt.Errorf("%s was replaced: %w", f.name, taxonomy.ErrNotFound)
	}
	return file.ReadAt(data, at)
}

// verified remembers which releases were verified on this machine, in a directory of the
// user. A release is an empty file whose name is the hash of all that identifies the
// files of the release and what was verified, so there is nothing to parse, processes
// need no lock, and a damaged directory only means that a release is verified again.
//
// Whoever can write to the directory can claim that a file was verified. So it is not
// used unless it belongs to the user, who alone may write to it.
type verified struct {
	dir string // "" remembers nothing
}

const (
	// verifiedFormat changes when the checks of a release do: then what earlier
	// versions of this program have verified counts no more.
	verifiedFormat = "datachain verified release 2"
	// maxVerified is how many releases are remembered. The least recently used
	// ones are forgotten.
	maxVerified = 512
	// verifiedUse is how precisely the time of the last use is kept.
	verifiedUse = 24 * time.Hour
)

// key returns the key of a release with these files in a store, or "" if they can't be
// identified. The files must not have changed just now: a file that is changed again
// within the resolution of the clock looks the same.
func (v verified) key(store string, e taxonomy.Entry, files ...fs.FileInfo) string {
	if v.dir == "" || store == "" {
		return ""
	}
	store, err := filepath.Abs(store)
	if err != nil {
		return ""
	}
	var facts strings.Builder
	fmt.Fprintf(&facts, "%s\n%q\n%s %s %s\n", verifiedFormat, store, e.ID, e.ContentHash, e.Pack)
	for _, info := range files {
		id, changed, ok := identity(info)
		if !ok || time.Since(changed) < settle || time.Since(info.ModTime()) < settle {
			return ""
		}
		fmt.Fprintf(&facts, "%s %d %d %d\n", id, info.Size(), info.ModTime().UnixNano(), changed.UnixNano())
	}
	sum := sha256.Sum256([]byte(facts.String()))
	return hex.EncodeToString(sum[:])
}

// has reports whether a key is remembered.
func (v verified) has(key string) bool {
	if key == "" || !private(v.dir) {
		return false
	}
	file := filepath.Join(v.dir, key)
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > verifiedUse {
		_ = os.Chtimes(file, now, now) // else it is forgotten sooner
	}
	return true
}

// add remembers a key. It does nothing if that is not possible: the next process then
// verifies the release again.
func (v verified) add(key string) {
	if key == "" || os.MkdirAll(v.dir, 0o700) != nil || !private(v.dir) {
		return
	}
	f, err := os.OpenFile(filepath.Join(v.dir, key), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	_ = f.Close()
	v.forget()
}

// forget removes what was not used for longest, if there is too much.
func (v verified) forget() {
	entries, err := os.ReadDir(v.dir)
	if err != nil || len(entries) <= maxVerified {
		return
	}
	type use struct {
		name string
		last time.Time
	}
	var uses []use
	for _, e := range entries {
		if info, err := e.Info(); err == nil && len(e.Name()) == hex.EncodedLen(sha256.Size) {
			uses = append(uses, use{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(uses, func(a, b use) int { return cmp.Or(b.last.Compare(a.last), strings.Compare(a.name, b.name)) })
	for _, old := range uses[min(len(uses), maxVerified/2):] {
		_ = os.Remove(filepath.Join(v.dir, old.name)) // another process may do the same
	}
}
