package taxonomy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
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

// because returns a reason as the end of a sentence, without a period.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(wording.Cut(wording.Line(reason), 200), ".")
}

// check returns an error if the state of a version is invalid.
func (s State) check(v Version) error {
	for _, f := range []struct{ name, day string }{{"deprecated", s.Deprecated}, {"sunset", s.Sunset}} {
		if f.day != "" && !ident.IsDate(f.day) {
			return fmt.Errorf("%s is %q, but must be a date such as 2026-09-01", f.name, wording.Clip(f.day))
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

// Successor returns the published version to upgrade to from one that is deprecated or
// retired, if that is known. It follows the successors of retired successors.
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

// RetiredVersion is a version that was published and is no longer listed, with the content
// that it had last. The id of a stable version stays bound to that content forever.
type RetiredVersion struct {
	ID          Version `json:"id"`
	ContentHash Hash    `json:"content_hash"`
	// At is the day on which it was retired, as YYYY-MM-DD, or "" if unknown.
	At string `json:"at,omitempty"`
	// Successor is the version of the type to upgrade to, or zero. It may have been
	// retired since: see [Index.Successor].
	Successor Version `json:"successor,omitzero"`
	// Reason is for people, or "".
	Reason string `json:"reason,omitempty"`
	// IDs is the SHA-256 of the file in which a store keeps the ids of the version and
	// their titles, or zero if it has none.
	IDs Hash `json:"ids,omitzero"`
}

// String returns that the version was retired, when, and why.
func (r RetiredVersion) String() string {
	text := r.ID.String() + " was retired"
	if r.At != "" {
		text += " on " + r.At
	}
	return text + because(r.Reason)
}

// key is that of the version in [Index.unknown].
func (r RetiredVersion) key() string { return "retired " + r.ID.String() }

// Retired returns the versions that were retired, in the order of [Index.Entries]. The
// caller owns the slice.
func (x *Index) Retired() []RetiredVersion { return slices.Clone(x.retired) }

// LookupRetired returns what is known of a version that was retired.
func (x *Index) LookupRetired(v Version) (RetiredVersion, bool) {
	i, ok := slices.BinarySearchFunc(x.retired, v, func(r RetiredVersion, v Version) int { return r.ID.Compare(v) })
	if !ok {
		return RetiredVersion{}, false
	}
	return x.retired[i], true
}

// setRetired checks and sorts retired versions.
func (x *Index) setRetired(retired []RetiredVersion) error {
	x.retired = slices.Clone(retired)
	slices.SortStableFunc(x.retired, func(a, b RetiredVersion) int { return a.ID.Compare(b.ID) })
	for i, r := range x.retired {
		if r.ID.IsZero() {
			return errors.New("index: a retired version has no id")
		}
		_, listed := x.byRef[r.ID.String()]
		switch {
		case r.ContentHash.IsZero():
			return fmt.Errorf("index: retired version %s: no content_hash", r.ID)
		case listed:
			return fmt.Errorf("index: version %s is both published and retired", r.ID)
		case r.At != "" && !ident.IsDate(r.At):
			return fmt.Errorf("index: retired version %s: at is %q, but must be a date such as 2026-09-01", r.ID, wording.Clip(r.At))
		case i > 0 && x.retired[i-1].ID == r.ID:
			return fmt.Errorf("index: version %s is retired twice", r.ID)
		}
		if err := checkSuccessor(r.ID, r.Successor); err != nil {
			return fmt.Errorf("index: retired version %s: %w", r.ID, err)
		}
	}
	return nil
}
