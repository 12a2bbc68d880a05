package layout

import (
	"errors"
	"fmt"
)

// MaxSequence is the limit of the sequence of an index, which counts its changes. JSON numbers are
// exact up to 2^53-1, and a sequence near that would leave no numbers for later changes.
const MaxSequence = 1<<53 - 1 - 1<<20

// ErrSequence is wrapped by errors about an index with a sequence that no publisher has counted.
var ErrSequence = errors.New("the sequence is false")

// CheckSequence returns an error that wraps [ErrSequence] if the sequence of an index, which has
// the file name, is above [MaxSequence].
func CheckSequence(name string, sequence int64) error {
	if sequence <= MaxSequence {
		return nil
	}
	return fmt.Errorf("%w: %s has the sequence %d, although the maximum is %d: the file was altered: restore it, or set the sequence that it had",
		ErrSequence, name, sequence, int64(MaxSequence))
}

// Count is the sequence of an index, and the size of the log that the index follows from.
type Count struct{ Sequence, LogSize int64 }

// ahead returns by how much the sequence exceeds the size, which an index that is older than its
// log can.
func (c Count) ahead() int64 { return max(0, c.Sequence-c.LogSize) }

// CheckGrowth returns an error that wraps [ErrSequence] if the sequence of an index has grown by
// more than its log since the last one: each change of an index adds an entry. A log proves
// everything else in an index, so the index can still be used.
func CheckGrowth(name string, last, next Count) error {
	if next.ahead() <= last.ahead() {
		return nil
	}
	return fmt.Errorf("%w: %s has the sequence %d after %d, although the log has %d entries after %d: the file was altered or restored; "+
		"the log proves the rest of it, so it is used; its next change ends this warning",
		ErrSequence, name, next.Sequence, last.Sequence, next.LogSize, last.LogSize)
}
