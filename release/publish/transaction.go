package publish

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/trust/signedlog"
)

const (
	// maxFutile is how many conflicts in a row are accepted although the index
	// stays the same.
	maxFutile = 10
	// minDelay and maxDelay bound the time between two attempts.
	minDelay = 10 * time.Millisecond
	maxDelay = time.Second
)

// Transaction is an attempt to change an index of a target, that of releases or that of
// documents.
type Transaction struct {
	// Log is the log of the target, or nil.
	Log *Log
	// Text is the index as it was found, or nil.
	Text []byte

	target Target
	name   string
	rev    Revision
}

// Transact changes the index with a name: attempt writes what the next index names, and then
// calls [Transaction.ReplaceDocuments]. After a conflict with another publisher it starts again. That
// also settles a replacement that has succeeded although its reply was lost: the next
// attempt then asks for what is there already. The error is an [*Error].
func Transact(ctx context.Context, op string, t Target, name string, attempt func(context.Context, *Transaction) error) error {
	return retry(ctx, op, t, func(ctx context.Context) (Revision, error) {
		log, err := openLog(ctx, t, mayPublish)
		if err != nil {
			return "", err
		}
		text, rev, err := t.Read(ctx, name)
		if err != nil {
			return rev, err
		}
		return log.revision(rev), attempt(ctx, &Transaction{Log: log, Text: text, target: t, name: name, rev: rev})
	})
}

// NextSequence returns the sequence of the next index, for the size of the log that it follows from:
// one more than the present one, but the same if the log gets no entry. So a sequence never grows
// faster than its log. It wraps [layout.ErrSequence] if readers would refuse it.
func (tx *Transaction) NextSequence(present, logSize int64) (int64, error) {
	if tx.Log != nil && logSize == tx.Log.Size() {
		return present, nil
	}
	return present + 1, layout.CheckSequence(tx.name, present+1)
}

// ReplaceDocuments replaces documents/index.json in one step. encode returns its text for the
// size of a log that it follows from: the log, if there is one, gets what the index changes first.
func (tx *Transaction) ReplaceDocuments(ctx context.Context, encode func(logSize int64) ([]byte, error)) error {
	_, err := tx.replace(ctx, func(state *signedlog.State) ([]*signedlog.Entry, error) {
		text, err := encode(0)
		if err != nil {
			return nil, err
		}
		return documentChanges(state, text)
	}, encode)
	return err
}

// documentChanges returns the entries that lead a log to an index of documents.
func documentChanges(state *signedlog.State, text []byte) ([]*signedlog.Entry, error) {
	x, err := documents.Decode(text)
	if err != nil {
		return nil, err
	}
	return state.DocumentChanges(x.Logged(), x.Register, time.Now())
}

// replace replaces the index in one step, and returns its text. If there is a log, that comes
// first: entries returns what it gets, and encode the index for the size that it has then.
func (tx *Transaction) replace(ctx context.Context, entries func(*signedlog.State) ([]*signedlog.Entry, error), encode func(logSize int64) ([]byte, error)) ([]byte, error) {
	if tx.Log == nil {
		text, err := encode(0)
		if err == nil {
			err = tx.target.Replace(ctx, tx.name, text, tx.rev)
		}
		return text, err
	}
	state, first, err := tx.Log.begin()
	if err != nil {
		return nil, err
	}
	added, err := entries(state)
	if err != nil {
		return nil, err
	}
	added = append(first, added...)
	text, err := encode(tx.Log.Size() + int64(len(added)))
	if err == nil {
		err = tx.Log.commit(ctx, added, tx.name, text, tx.rev)
	}
	return text, err
}

// Confirm wraps [ErrConflict] if the index was replaced since it was read.
func (tx *Transaction) Confirm(ctx context.Context) error {
	_, now, err := tx.target.Read(ctx, tx.name)
	if err != nil || now != tx.rev {
		return errors.Join(err, ErrConflict)
	}
	return nil
}

var errNoTarget = errors.New("publish: the target is nil")

// isNil reports whether there is no target, or none that is signed.
func isNil(t Target) bool {
	s, ok := t.(signedTarget)
	return t == nil || ok && s.Target == nil
}

// retry calls attempt, which changes a file of a target and returns the revision that
// it has found, until it succeeds or fails for another reason than [ErrConflict]. It
// gives up if the revision stays the same. The error is an [*Error], unless there is no target.
func retry(ctx context.Context, op string, t Target, attempt func(context.Context) (Revision, error)) error {
	if isNil(t) {
		return errNoTarget
	}
	var last Revision
	for futile := 0; ; futile++ {
		rev, err := attempt(ctx)
		switch {
		case err == nil:
			return nil
		case rev != last:
			last, futile = rev, 0
		}
		if !errors.Is(err, ErrConflict) || futile == maxFutile {
			return &Error{op, t.String(), err}
		}
		// A random delay, so that publishers that met do not meet again.
		timer := time.NewTimer(rand.N(min(minDelay<<futile, maxDelay)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return &Error{op, t.String(), fmt.Errorf("%w: %w", err, ctx.Err())}
		}
	}
}
