package fsstore

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

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
