package upgrade

import "github.com/datachain-go/datachain/taxonomy"

// Newer returns the version to upgrade to from one that a document pins: its successor, if it has
// one, else the newest stable version if that is newer, else, from a beta, a newer beta.
func Newer(x *taxonomy.Index, pinned taxonomy.Version) (taxonomy.Version, bool) {
	if next, ok := x.Successor(pinned); ok {
		return next, true
	}
	for _, status := range []taxonomy.Status{taxonomy.Stable, pinned.Status()} {
		for _, e := range x.Entries() { // newest first
			if e.ID.Type() != pinned.Type() || e.ID.Status() != status {
				continue
			}
			if e.ID.Compare(pinned) < 0 {
				return e.ID, true
			}
			break
		}
	}
	return taxonomy.Version{}, false
}
