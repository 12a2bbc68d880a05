package live

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// fingerprints are the files of the source by name, each with what is needed to
// detect a change without reading it again.
type fingerprints map[string]fingerprint

type fingerprint struct {
	size    int64
	changed time.Time
	mode    fs.FileMode
	read    time.Time
	sum     [sha256.Size]byte
}

// clockTick is how long after its last change a file may change again with the same time, since file
// systems have coarse clocks.
const clockTick = 100 * time.Millisecond

// add adds the files of a directory. It returns a hash of their names and contents, and the time of
// the newest. It reads only files that may have changed.
func (f fingerprints) add(fsys fs.FS, dir string, known fingerprints) (sum string, written time.Time) {
	h := sha256.New()
	_ = fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
		var now fingerprint
		if err == nil {
			now, err = newFingerprint(fsys, name, d, known[name])
		}
		f[name] = now
		if now.changed.After(written) {
			written = now.changed
		}
		h.Write(fmt.Appendf(nil, "%q %x %v\n", name, now.sum, err))
		return nil // an unreadable file must not hide the others
	})
	return string(h.Sum(nil)), written
}

// newFingerprint returns the fingerprint of a file, which is the known one if the file can't have
// changed.
func newFingerprint(fsys fs.FS, name string, d fs.DirEntry, known fingerprint) (fingerprint, error) {
	info, err := d.Info()
	if err == nil && d.Type()&fs.ModeSymlink != 0 {
		info, err = fs.Stat(fsys, name) // of the target
	}
	if err != nil {
		return fingerprint{}, err
	}
	now := fingerprint{size: info.Size(), changed: info.ModTime(), mode: info.Mode(), read: time.Now()}
	if now.size == known.size && now.changed.Equal(known.changed) && now.mode == known.mode && known.read.Sub(known.changed) > clockTick {
		return known, nil
	}
	if !now.mode.IsRegular() {
		return now, nil
	}
	file, err := fsys.Open(name)
	if err != nil {
		return now, err
	}
	defer func() { _ = file.Close() }() // only read
	h := sha256.New()
	_, err = io.Copy(h, file)
	h.Sum(now.sum[:0])
	return now, err
}
