package signedlog

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust/internal/refusal"
	"github.com/datachain-go/datachain/taxonomy"
)

// Checkpoint states how many entries a log has, and the root of their tree.
type Checkpoint struct {
	// Origin names the log.
	Origin string
	Size   int64
	Root   taxonomy.Hash
	// Note is the signed text, which a reader keeps to remember the checkpoint.
	Note []byte
	// Signed are the names of trusted keys that signed it. [ParseCheckpoint] verifies nothing,
	// and leaves them empty.
	Signed []string
}

// maxNote limits the bytes of a checkpoint.
const maxNote = 1 << 16

// text returns what is signed.
func (c *Checkpoint) text() string {
	return c.Origin + "\n" + strconv.FormatInt(c.Size, 10) + "\n" + base64.StdEncoding.EncodeToString(c.Root[:]) + "\n"
}

// ParseCheckpoint parses a checkpoint without verifying its signatures: one that the reader
// has kept itself. The error wraps trust.ErrCheckpoint.
func ParseCheckpoint(signed []byte) (*Checkpoint, error) {
	text, _, ok := strings.Cut(string(signed), "\n\n")
	if len(signed) > maxNote || !ok {
		return nil, fmt.Errorf("%w: it is not a signed note", refusal.ErrCheckpoint)
	}
	c, err := parseText(text + "\n")
	if err != nil {
		return nil, err
	}
	c.Note = signed
	return c, nil
}

// parseText parses the text of a checkpoint. Lines after the third one are extensions, which
// are ignored.
func parseText(text string) (*Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[len(lines)-1] != "" {
		return nil, fmt.Errorf("%w: it must have at least three lines", refusal.ErrCheckpoint)
	}
	if slices.Contains(lines[:len(lines)-1], "") {
		return nil, fmt.Errorf("%w: it has an empty line", refusal.ErrCheckpoint)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || size > maxSize || strconv.FormatInt(size, 10) != lines[1] {
		return nil, fmt.Errorf("%w: the size is %s, but must be a number from 0 to %d", refusal.ErrCheckpoint, wording.Quote(lines[1]), int64(maxSize))
	}
	root, err := base64.StdEncoding.Strict().DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return nil, fmt.Errorf("%w: the root is %s, but must be a SHA-256 in base64", refusal.ErrCheckpoint, wording.Quote(lines[2]))
	}
	return &Checkpoint{Origin: lines[0], Size: size, Root: taxonomy.Hash(root)}, nil
}
