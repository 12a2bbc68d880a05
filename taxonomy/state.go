package taxonomy

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
)

// State is whether a published version is deprecated: it is still served, but documents
// should move to another one. It belongs to the index, not to the content of the version,
// and can be changed at any time. The zero value means that the version is not deprecated.
type State struct {
	// Deprecated is the day since which the version is deprecated, as YYYY-MM-DD, or "".
	Deprecated string `json:"deprecated,omitempty"`
	// Sunset is the day on which the version is expected to be retired, as YYYY-MM-DD, or
	// "" if that is not decided. It is not before Deprecated.
	Sunset string `json:"sunset,omitempty"`
	// Successor is the version of the type to upgrade to, or zero. It may have been
	// retired since: see [Index.Successor].
	Successor Version `json:"successor,omitzero"`
	// Reason is for people, or "".
	Reason string `json:"reason,omitempty"`
}

// maxReason limits the bytes of [State.Reason] and [Retired.Reason] when a version is
// deprecated or retired.
const maxReason = 1000

// Ended reports whether the sunset of a version is over on a day, which is written as
// YYYY-MM-DD: the day of the sunset is the first one on which it is.
func (s State) Ended(day string) bool { return s.Sunset != "" && s.Sunset <= day }

// Notice returns since when a version is deprecated, until when it is expected to be served
// and why, as the rest of a sentence that begins with the version. It is "" if the version
// is not deprecated.
func (s State) Notice() string {
	if s == (State{}) {
		return ""
	}
	text := "has been deprecated since " + s.Deprecated
	if s.Sunset != "" {
		text += ", with its sunset on " + s.Sunset
	}
	return text + because(s.Reason)
}

// because returns a reason as the end of a sentence, without the full stop.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(prose.Cut(prose.Plain(reason), 200), ".")
}

// check returns what is wrong with the state of a version.
func (s State) check(v Version) error {
	for field, day := range map[string]string{"deprecated": s.Deprecated, "sunset": s.Sunset} {
		if day != "" && !ValidDate(day) {
			return fmt.Errorf("%s is %q, but must be a date such as 2026-09-01", field, prose.Clip(day))
		}
	}
	switch {
	case s.Deprecated == "" && s != State{}:
		return errors.New("sunset, successor and reason need deprecated, the date since which the version is deprecated")
	case s.Sunset != "" && s.Sunset < s.Deprecated:
		return fmt.Errorf("the sunset, %s, must not be before %s, since when the version is deprecated", s.Sunset, s.Deprecated)
	}
	return checkSuccessor(v, s.Successor)
}

// checkSuccessor returns an error unless one version can be followed by another, or by
// none.
func checkSuccessor(v, successor Version) error {
	if !successor.IsZero() && (successor == v || successor.Type() != v.Type()) {
		return fmt.Errorf("the successor must be another version of %s, not %s", v.Type(), successor)
	}
	return nil
}

// publishes returns an error unless the successor of a version is published, or zero.
func (x *Index) publishes(v, successor Version) error {
	if successor.IsZero() {
		return nil
	}
	if _, listed := x.Lookup(successor.Ref()); !listed || checkSuccessor(v, successor) != nil {
		return fmt.Errorf("index: the successor of %s must be another published version of %s, not %s", v, v.Type(), successor)
	}
	return nil
}

// WithState returns the index with another state of a version. The zero [State] takes a
// deprecation back. The error wraps [ErrNotFound] if the version is not published. A
// successor must be published.
func (x *Index) WithState(v Version, s State) (*Index, error) {
	at, listed := x.byRef[v.String()]
	if !listed {
		return nil, unknownVersion(x, v.Ref())
	}
	if len(s.Reason) > maxReason {
		return nil, fmt.Errorf("index: %s: the reason has %d bytes, at most %d are allowed", v, len(s.Reason), maxReason)
	}
	if err := x.publishes(v, s.Successor); err != nil {
		return nil, err
	}
	entries := x.Entries()
	entries[at].State = s
	return x.successor(entries, x.retired)
}

// Successor returns the published version to upgrade to from one that is deprecated or was
// retired, if that is known. A successor that was retired is replaced by its own.
func (x *Index) Successor(v Version) (Version, bool) {
	for range len(x.retired) + 1 {
		e, _ := x.Lookup(v.Ref())
		r, _ := x.LookupRetired(v)
		if v = cmp.Or(e.Successor, r.Successor); v.IsZero() {
			break
		}
		if _, listed := x.byRef[v.String()]; listed {
			return v, true
		}
	}
	return Version{}, false
}
