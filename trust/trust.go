// Package trust proves by the signed log of a store what documents are made of, and verifies such
// proofs offline.
//
// A store can have a log of all that it has published, an append-only Merkle tree whose
// checkpoints are signed. Command datachain writes it, and servers publish it below log/.
// A [Trust] is a parsed trust file: the origin of a log and the public keys that sign it.
// No key is built in. Stores that are opened with one only accept an index
// that follows from the log, and a log that only grew; [Reason] names why one was refused.
//
// A [Prover] proves what a resolved document is made of: one [Proof] for all parts of its
// schema snapshot, with the log entry of the release and a checkpoint, and of the register's
// edition if there is one. [VerifyDocument] checks it: no error means that all of the document
// is proven, which needs an edition. [VerifySnapshot] is for proofs without one, and proves the
// schema snapshot alone. The [Report] of both says what is proven and what is not.
//
// The package does no I/O: it is handed a function that reads files of the log, and times
// are arguments.
package trust

import (
	"time"

	"github.com/datachain-go/datachain/trust/signedlog"
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
