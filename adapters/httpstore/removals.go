package httpstore

import (
	"errors"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// ErrRemoved is wrapped by [Store.Err] while the server lists fewer versions than
// it did, and does not list them as retired either. The last good index is served;
// see [Options.AcceptRemovals].
var ErrRemoved = errors.New("the server dropped versions")

// shownRemovals is how many versions an error names.
const shownRemovals = 5

// refuseRemovals returns an error if a server has lost versions: a stable one, or
// all that it had. Versions that the server lists as retired are not lost, and beta
// versions may come and go.
func (s *Store) refuseRemovals(last, next *taxonomy.Index) error {
	if last == nil || s.opt.AcceptRemovals {
		return nil
	}
	var lost []string
	for _, e := range last.Entries() {
		_, listed := next.Lookup(e.ID.Ref())
		_, retired := next.LookupRetired(e.ID)
		if !listed && !retired && (e.Status == taxonomy.Stable || next.Len() == 0) {
			lost = append(lost, e.ID.String())
		}
	}
	if len(lost) == 0 {
		return nil
	}
	names := strings.Join(lost[:min(len(lost), shownRemovals)], ", ")
	if more := len(lost) - shownRemovals; more > 0 {
		names = fmt.Sprintf("%s and %d more", names, more)
	}
	return fmt.Errorf("httpstore: %s: %w without listing them as retired: %s; the last good index is served; "+
		"if the removal is intended, retire them on the server, or open the store once with removals accepted (--accept-removals)",
		s.base.Redacted(), ErrRemoved, names)
}
