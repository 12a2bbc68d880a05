package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/taxonomy"
)

// A [Guard] keeps readers of a store from an index that goes back: a restored
// backup, a mirror that lags, or a publisher that has lost what others published.
//
// An index goes back if
//
//   - its sequence is lower than that of the last one;
//   - it has the same sequence with other content;
//   - it lacks stable versions, or all versions, that the last one lists, and does not
//     list them as retired;
//   - it lists other content for a stable version.
//
// Indexes without a sequence, which servers send, are compared by the versions that they list. With
// a [taxonomy.Verifier], it decides which of two indexes is the later one. An index with a
// sequence above [layout.MaxSequence] is always refused.

// Grace is how long an index with a lower sequence is not reported, since mirrors and
// caches lag.
const Grace = time.Minute

// ErrAccepted is wrapped by [Guard.Err] after an index that was rolled back was accepted.
var ErrAccepted = errors.New("an index that was rolled back was accepted")

// errLower is wrapped by the error of an index with a lower sequence.
var errLower = errors.New("its sequence is lower")

// CheckIndex returns an error that wraps [taxonomy.ErrRollback] if an index goes back from
// the last one, which may be nil.
func CheckIndex(last, next *taxonomy.Index) error {
	if last == nil {
		return nil
	}
	if lastSequence, nextSequence := last.Record().Sequence, next.Record().Sequence; lastSequence > 0 && nextSequence > 0 {
		switch {
		case nextSequence < lastSequence:
			return fmt.Errorf("%w: %w: %d after %d", taxonomy.ErrRollback, errLower, nextSequence, lastSequence)
		case nextSequence == lastSequence && !sameIndex(last, next):
			return fmt.Errorf("%w: it has other content, but the same sequence, %d", taxonomy.ErrRollback, nextSequence)
		}
	}
	var dropped []string
	for _, e := range last.Entries() {
		now, found := content(next, e.ID)
		switch stable := e.Status == taxonomy.Stable; {
		case stable && found && now != e.ContentHash:
			return changed(e.ID, e.ContentHash, now)
		case !found && (stable || next.Len() == 0):
			dropped = append(dropped, e.ID.String())
		}
	}
	for _, r := range last.Retired() {
		if now, found := content(next, r.ID); found && r.ID.Status() == taxonomy.Stable && now != r.ContentHash {
			return changed(r.ID, r.ContentHash, now)
		}
	}
	if len(dropped) == 0 {
		return nil
	}
	const shown = 5
	names := strings.Join(dropped[:min(len(dropped), shown)], ", ")
	if omitted := len(dropped) - shown; omitted > 0 {
		names = fmt.Sprintf("%s and %d more", names, omitted)
	}
	return fmt.Errorf("%w: it drops versions without listing them as retired: %s", taxonomy.ErrRollback, names)
}

// content returns the hash of a version that an index lists, as published or retired.
func content(x *taxonomy.Index, v taxonomy.Version) (taxonomy.Hash, bool) {
	if e, listed := x.Lookup(v.Ref()); listed {
		return e.ContentHash, true
	}
	r, retired := x.LookupRetired(v)
	return r.ContentHash, retired
}

func changed(v taxonomy.Version, before, after taxonomy.Hash) error {
	return fmt.Errorf("%w: version %s: %w: it had %s, the index lists %s", taxonomy.ErrRollback, v, taxonomy.ErrStableChanged, before, after)
}

// sameIndex reports whether two indexes have the same canonical text, apart from the size of the
// log.
func sameIndex(a, b *taxonomy.Index) bool {
	encode := func(x *taxonomy.Index) ([]byte, error) {
		record := x.Record()
		record.LogSize = 0
		return taxonomy.EncodeIndex(x.WithRecord(record))
	}
	textA, errA := encode(a)
	textB, errB := encode(b)
	return errA == nil && errB == nil && bytes.Equal(textA, textB)
}

// Guard decides which indexes of a store a reader may serve. Its methods may be called
// concurrently.
type Guard struct {
	// Store names the store in errors.
	Store string
	// Sent means that indexes are as servers send them: they have no format.
	Sent bool
	// Accept lets the reader serve the first index of the store even if it was rolled back. With
	// a Verifier it has no effect.
	Accept bool
	// Verifier verifies indexes; nil for none.
	Verifier taxonomy.Verifier

	mu           sync.Mutex
	begun        bool  // an index was accepted or confirmed
	refused      error // why the index of the store is not served, nil if it is
	refusedSince time.Time
	// flaw is what is wrong with the index that is served, or nil.
	flaw error
}

// Verify sets the verifier that an option of a store returns; the option and the verifier may be nil.
func (g *Guard) Verify(option func(taxonomy.ReadFunc) taxonomy.Verifier, read taxonomy.ReadFunc) {
	if option != nil {
		g.Verifier = option(read)
	}
}

// Scope returns that of the verifier, or "".
func (g *Guard) Scope() string {
	if g.Verifier == nil {
		return ""
	}
	return g.Verifier.Scope()
}

// Decode decodes an index. The verifier refuses one that can't be decoded.
func (g *Guard) Decode(text []byte) (*taxonomy.Index, error) {
	decode := layout.DecodeIndex
	if g.Sent {
		decode = taxonomy.DecodeIndex
	}
	x, err := decode(text)
	err = errname.Trim(err)
	if err != nil && g.Verifier != nil && !errors.Is(err, taxonomy.ErrIndexFormat) {
		err = g.Verifier.Malformed(err)
	}
	return x, err
}

// Take reports whether a reader may serve the next index of a store in place of the last
// one, which is nil if there was none. It fails if the index can't be verified now, or if the index
// was refused and there is no last one.
func (g *Guard) Take(ctx context.Context, last, next *taxonomy.Index) (bool, error) {
	now := count(next)
	if err := layout.CheckSequence(layout.IndexFile, now.Sequence); err != nil {
		return g.decide(last, err)
	}
	if g.Verifier == nil {
		return g.decide(last, CheckIndex(last, next))
	}
	// What is verified is not compared with the last index, which may have been read before
	// there was a verifier, or with a sequence that someone has changed: the verifier knows better
	// which of two indexes is the later one.
	accepted, err := g.decide(last, g.Verifier.Check(ctx, next))
	if accepted {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.flaw = nil; last != nil && now.LogSize > 0 {
			if err := layout.CheckGrowth(layout.IndexFile, count(last), now); err != nil {
				g.flaw = fmt.Errorf("%s: %w", g.Store, err)
			}
		}
	}
	return accepted, err
}

// count returns the sequence of an index, and the size of its log.
func count(x *taxonomy.Index) layout.Count {
	r := x.Record()
	return layout.Count{Sequence: r.Sequence, LogSize: r.LogSize}
}

// Missing is [Guard.Take] for an index that can't be found or decoded. If the verifier says that
// there must be one, the store is refused. Otherwise it returns the cause.
func (g *Guard) Missing(ctx context.Context, last *taxonomy.Index, cause error) error {
	if g.Verifier == nil {
		return cause
	}
	_, err := g.decide(last, g.Verifier.Missing(ctx, cause))
	return err
}

// decide notes whether an index is refused, for a reason or nil.
func (g *Guard) decide(last *taxonomy.Index, err error) (bool, error) {
	if err != nil && g.Verifier != nil && !refusal(err) {
		return false, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Accept && !g.begun && g.Verifier == nil && errors.Is(err, taxonomy.ErrRollback) {
		g.flaw = fmt.Errorf("%s: %w because of --accept-removals: %s; restart without it", g.Store, ErrAccepted, strings.TrimPrefix(err.Error(), taxonomy.ErrRollback.Error()+": "))
		err = nil
	}
	if err != nil && g.refused == nil {
		g.refusedSince = time.Now()
	}
	g.refused = err
	g.begun = g.begun || err == nil
	if err != nil && last == nil {
		return false, err
	}
	return err == nil, nil
}

// Confirm notes that the store still has the index that is served, and asks the verifier whether it is
// too old by now.
func (g *Guard) Confirm(ctx context.Context, x *taxonomy.Index) error {
	var err error
	if g.Verifier != nil {
		if err = g.Verifier.Confirm(ctx, x); err != nil && !refusal(err) {
			return err
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refused, g.begun = err, true
	return nil
}

// Due reports whether to ask the verifier again, although the index is the same. It is for stores
// that otherwise read nothing then.
func (g *Guard) Due() bool { return g.Verifier != nil && g.Verifier.Due() }

// refusal reports whether an error is about the content of an index, and not about reading it.
func refusal(err error) bool {
	return errors.Is(err, taxonomy.ErrRefused) || errors.Is(err, layout.ErrSequence)
}

// Err returns why an index of the store is not served, or what is wrong with the one that is: it
// was accepted although it was rolled back, or its sequence has grown by more than its log. A lower
// sequence is returned after [Grace], unless there is a verifier.
func (g *Guard) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	refused := g.refused
	switch {
	case refused == nil || errors.Is(refused, errLower) && g.Verifier == nil && time.Since(g.refusedSince) < Grace:
		return g.flaw
	case errors.Is(refused, layout.ErrSequence):
		return fmt.Errorf("%s: %w; the last good index is served", g.Store, refused)
	case g.Verifier != nil:
		return fmt.Errorf("%s: %w; the last good index is served, until the store has one that the trusted log proves", g.Store, refused)
	}
	return fmt.Errorf("%s: %w; the last good index is served; if this is intended, retire the versions with "+
		"'datachain schema retire', or restart once with --accept-removals", g.Store, refused)
}
