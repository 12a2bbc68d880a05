package follow

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/release/trust/signedlog"
)

// SeenFile keeps the highest checkpoint of a log in a directory. All programs that read the log, from
// whatever store, share it.
type SeenFile struct{ file string }

// NewSeenFile returns the file below dir for the log with an origin.
func NewSeenFile(dir, origin string) *SeenFile {
	sum := sha256.Sum256([]byte(origin))
	return &SeenFile{filepath.Join(dir, hex.EncodeToString(sum[:16]))}
}

// File returns the path of the file, which may not exist.
func (s *SeenFile) File() string { return s.file }

// maxSeen is the size limit of a checkpoint.
const maxSeen = 1 << 16

// Load returns the checkpoint, or nil.
func (s *SeenFile) Load() []byte {
	f, err := os.Open(s.file)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := limited.Read(f, maxSeen, 0)
	if err != nil {
		return nil
	}
	return text
}

// Save keeps a checkpoint, unless another program has kept a higher one. One that can't be
// kept is not an error: what was seen then counts until the program ends.
func (s *SeenFile) Save(note []byte) {
	next, err := signedlog.ParseCheckpoint(note)
	if err != nil {
		return
	}
	if stored, err := signedlog.ParseCheckpoint(s.Load()); err == nil && stored.Origin == next.Origin && stored.Size >= next.Size {
		return
	}
	if os.MkdirAll(filepath.Dir(s.file), 0o700) != nil {
		return
	}
	_ = files.Replace(s.file, note, 0o600, files.Unsynced)
}
