// Package ledger provides the log of what a store has published: entries, signed
// checkpoints, and what a reader verifies before it trusts an index.
//
// # The log
//
// A log is an append-only list of entries. An [Entry] is canonical JSON and has every
// field by which it changes an index; a [State] is the fold of all entries. A log is a
// Merkle tree (RFC 6962, SHA-256) in the layout of C2SP tlog-tiles below log/ of a store:
// checkpoint, tile/<level>/<n> and tile/entries/<n>. Names of files in this package are
// relative to log/.
//
// To append, a publisher computes the next index as it does without a log.
// [State.Changes] and [State.DocumentChanges] return the entries that lead there, and
// [Log.Append] the files to write, in this order, the checkpoint last and only if it has
// not changed since it was read. The index follows; it names the size of the log that it
// is the fold of.
//
// A file with the name of a tile may hold what a publisher wrote that never replaced the
// checkpoint. Publishers that have no common lock must not overwrite the tiles of each
// other: each one first replaces the file [PendingFile] with [EncodeFiles] of what it is
// going to write, on the condition that it is unchanged, and only if the checkpoint covers
// what was pending before. If it does not, the publisher completes that first: it verifies
// the files with [Log.Resume] and writes them. All publishers so write the same bytes.
//
// # Trust
//
// A [Trust] is a parsed trust file: the origin of a log and the public keys of its signer
// and cosigners. No key is built in. [Trust.Follow] reads the checkpoint of a log, checks
// its signatures, and that the log only grew since the last [Checkpoint] that the reader
// saw. Refusals wrap one of the errors of this package; [Reason] names them for metrics.
//
// # Keys
//
// Signatures of a log are those of golang.org/x/mod/sumdb/note (Ed25519), with key files
// as [note.GenerateKey] returns them. A cosigner has a key of its own kind, which
// [NewCosignerKey] returns, and states the time at which it saw a checkpoint as the newest
// one (C2SP tlog-cosignature, cosignature/v1).
//
// # Documents
//
// A [Prover] proves what a resolved document is made of: one [Proof] for all parts of its
// schema snapshot, with the log entry of the release and a checkpoint, and of the register's
// edition if there is one. [Trust.VerifyDocument] checks it offline, and its [Report] says
// what is proven and what is not.
//
// The package does no I/O: it is handed a [ReadFunc], and times are arguments.
package ledger
