// Package ledger proves what documents are made of by the signed log of a store, and verifies
// such proofs offline.
//
// A store can have a log of all that it has published, an append-only Merkle tree whose
// checkpoints are signed. Command datachain writes it, and servers publish it below log/.
// A [Trust] is a parsed trust file: the origin of a log and the public keys of its signer
// and cosigners. No key is built in. Stores that are opened with one only accept an index
// that follows from the log, and a log that only grew; [Reason] names why one was refused.
//
// A [Prover] proves what a resolved document is made of: one [Proof] for all parts of its
// schema snapshot, with the log entry of the release and a checkpoint, and of the register's
// edition if there is one. [VerifyDocument] checks it, and its [Report] says what is proven
// and what is not.
//
// The package does no I/O: it is handed a function that reads files of the log, and times
// are arguments.
package ledger

import "github.com/datachain-go/datachain/internal/signedlog"

// Trust is a parsed trust file: which log a reader trusts, and by which keys. It is immutable
// and safe for concurrent use.
type Trust = signedlog.Trust

// ParseTrust parses a trust file, which is JSON:
//
//	{
//	  "origin": "example.org/log",
//	  "keys": [{"key": "example.org/log+1b2c…+AQ…", "from": "2026-01-01T00:00:00Z", "until": "2030-01-01T00:00:00Z"}],
//	  "cosigners": [{"key": "example.org/witness+0a1b…+BA…"}],
//	  "cosignatures": 1,
//	  "max_age": "36h"
//	}
//
// from, until, cosigners, cosignatures and max_age can be absent. cosignatures is how many
// cosigners must have signed; max_age is how old the newest cosignature may be, as a number
// of s, m, h or d, and requires one.
func ParseTrust(data []byte) (*Trust, error) { return signedlog.ParseTrust(data) }

// Reason returns a short name of the reason for which a log or a proof was refused, such as
// rollback, for metrics and reports, or "" if the error is not such a refusal.
func Reason(err error) string { return signedlog.Reason(err) }
