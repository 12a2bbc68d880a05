package fsstore

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/layout"
	"github.com/datachain-go/datachain/taxonomy/pack"
)

// A release.json is read completely and kept in memory, a pack as far as it is needed.
// Neither is mapped: a file that a careless copy truncates would end the process, and
// reading 100 MB that the system has cached takes 30 ms.

// source is an open file that is read at any position.
type source struct {
	io.ReaderAt
	file fs.File
	info fs.FileInfo
}

// openSource opens a regular file of at most limit bytes. The caller closes it.
func openSource(fsys fs.FS, name string, limit int64) (*source, error) {
	f, info, err := openFile(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, errors.Join(tooLarge(name, info.Size(), limit), f.Close())
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

func (s *source) size() int64 { return s.info.Size() }

// all reads the whole file.
func (s *source) all() ([]byte, error) {
	data := make([]byte, s.size())
	if n, err := s.ReadAt(data, 0); n < len(data) {
		return nil, err
	}
	return data, nil
}

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
func (s *Store) readPacked(fsys fs.FS, e taxonomy.Entry) (*taxonomy.Release, *packed, error) {
	dir := layout.Dir(e.ID, e.ContentHash)
	text, err := openSource(fsys, path.Join(dir, layout.Release), s.opt.MaxRelease)
	if err != nil {
		return nil, nil, err
	}
	defer closeRead(text.file)
	file, err := openSource(fsys, path.Join(dir, layout.Pack), s.opt.MaxRelease)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("%w: %s", err, republish)
	case err != nil:
		return nil, nil, err
	}
	defer closeRead(file.file)
	remembered := verified{s.opt.VerifiedDir}
	key := remembered.key(s.name, e, text.info, file.info)
	if remembered.has(key) {
		if r, p, err := s.openVerified(text, file, e); err == nil {
			return r, p, nil
		}
	}
	r, p, err := s.verify(text, file, e)
	if err == nil && text.unchanged() && file.unchanged() {
		remembered.add(key)
	}
	return r, p, err
}

// openVerified opens a release that was verified before.
func (s *Store) openVerified(text, file *source, e taxonomy.Entry) (*taxonomy.Release, *packed, error) {
	d, err := pack.ReadDirectory(file, file.size())
	if err != nil {
		return nil, nil, err
	}
	name := path.Join(layout.Dir(e.ID, e.ContentHash), layout.Pack)
	now := &packed{name: name, maxSVG: s.opt.MaxSVG, section: func(section string) ([]byte, bool, error) {
		return d.ReadSection(file, section)
	}}
	r, err := now.open(text, (*taxonomy.Form).OpenVerified)
	if err == nil {
		err = isRelease(r, e)
	}
	if err != nil {
		return nil, nil, err
	}
	later := &packed{name: name, maxSVG: s.opt.MaxSVG, section: func(section string) ([]byte, bool, error) {
		return s.section(name, file.info, d, section)
	}}
	return r, later, nil
}

// section reads a section of a pack that was opened before. If the file is another one
// now, or gone, there is no section: it can be derived from the release.
func (s *Store) section(name string, was fs.FileInfo, d *pack.Directory, section string) ([]byte, bool, error) {
	at, _ := s.enter() // if the directory is missing, Index fails
	defer at.leave()
	file, err := openSource(at.fsys, name, s.opt.MaxRelease)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer closeRead(file.file)
	if !same(was, file.info) {
		return nil, false, nil
	}
	return d.ReadSection(file, section)
}

// verify opens a release after checking that its pack has the SHA-256 in the index, and
// its content the hash. The pack is used meanwhile: nothing in it is trusted.
func (s *Store) verify(text, file *source, e taxonomy.Entry) (*taxonomy.Release, *packed, error) {
	name := path.Join(layout.Dir(e.ID, e.ContentHash), layout.Pack)
	data, err := file.all()
	if err != nil {
		return nil, nil, err
	}
	sum := make(chan taxonomy.Hash, 1)
	go func() { sum <- sha256.Sum256(data) }()
	var r *taxonomy.Release
	var p *packed
	opened, err := pack.Open(data)
	if err == nil {
		p = &packed{name: name, maxSVG: s.opt.MaxSVG, section: func(section string) ([]byte, bool, error) {
			data, ok := opened.Section(section)
			return data, ok, nil
		}}
		if err = p.openIcons(); err == nil {
			r, err = p.release(text, e)
		}
	}
	if got := <-sum; got != e.Pack {
		return nil, nil, fmt.Errorf("%s: %w: its SHA-256 is %s, but the index has %s: %s",
			name, taxonomy.ErrHashMismatch, got, e.Pack, republish)
	}
	switch {
	case errors.Is(err, pack.ErrFormat):
		return nil, nil, fmt.Errorf("%s: %w: use the version of this program that published it, or publish the release again", name, err)
	case opened == nil:
		return nil, nil, fmt.Errorf("%s: %w: publish the release again", name, err)
	case err != nil:
		return nil, nil, err
	}
	return r, p, nil
}

// release opens the release of an index entry with its form, or decodes all of it if that
// fails: then it has the best description of what is wrong.
func (p *packed) release(text *source, e taxonomy.Entry) (*taxonomy.Release, error) {
	if r, err := p.open(text, (*taxonomy.Form).Open); err == nil && isRelease(r, e) == nil {
		return r, nil
	}
	symbols, err := p.symbols()
	if err != nil {
		return nil, err
	}
	data, err := text.all()
	if err != nil {
		return nil, err
	}
	return decodeRelease(data, symbols, e)
}

// openFunc is one of the two ways to open a release with a form.
type openFunc func(f *taxonomy.Form, text io.ReaderAt, size int64, symbols map[string]string) (*taxonomy.Release, error)

// open opens the release with the form in the pack.
func (p *packed) open(text *source, open openFunc) (*taxonomy.Release, error) {
	data, ok, err := p.section(pack.Release)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, taxonomy.ErrForm
	}
	form, err := taxonomy.ParseForm(data)
	if err != nil {
		return nil, err
	}
	symbols, err := p.symbols()
	if err != nil {
		return nil, err
	}
	return open(form, text, text.size(), symbols)
}
