// Package trust verifies stores and documents by the signed log of a store.
//
// A store can have a log of all that it has published, an append-only Merkle tree whose
// checkpoints are signed. Command datachain writes it, and servers publish it below log/.
// A [Trust] is a parsed trust file: the origin of a log and the public keys that sign it.
// No key is built in. Stores that are opened with package follow only accept an index
// that follows from the log, and a log that only grew; [Reason] names why one was refused.
//
// [VerifyDocument] verifies that a document is an edition that the publisher has published, made
// of a release that it has published, and [VerifySnapshot] the second alone. A copy of the store is
// enough for both.
//
// The package does no I/O: it is handed functions that read the log and releases.
//
// # Experimental
//
// This package may change in a minor version.
package trust

import (
	"time"

	"github.com/datachain-go/datachain/release/trust/signedlog"
)

// Trust is a parsed trust file: which log a reader trusts, and by which keys. It is immutable
// and safe for concurrent use.
type Trust signedlog.Trust

// Origin returns the name of the log.
func (t *Trust) Origin() string { return (*signedlog.Trust)(t).Origin() }

// ParseTrust parses a trust file, which is JSON:
//
//	{
//	  "origin": "example.org/log",
//	  "keys": [{"key": "example.org/log+1b2c…+AQ…", "from": "2026-01-01T00:00:00Z", "until": "2030-01-01T00:00:00Z"}]
//	}
//
// from and until are the first and the last time at which the key is valid. Both can be absent.
// Any other member is refused.
func ParseTrust(data []byte) (*Trust, error) {
	t, err := signedlog.ParseTrust(data)
	return (*Trust)(t), err
}

// At returns the trust for an old copy of a store: keys must be valid at a time instead of now.
// Nothing proves that the copy is of that time.
func (t *Trust) At(at time.Time) *Trust { return (*Trust)((*signedlog.Trust)(t).At(at)) }
