package taxonomy

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
)

// Status says whether a schema version can still change.
type Status string

const (
	// Beta versions can change.
	Beta Status = "beta"
	// Stable versions never change.
	Stable Status = "stable"
)

// errMalformedVersion is wrapped by all errors of [ParseVersion] and [ParseRef].
var errMalformedVersion = errors.New("malformed schema version")

// Version is the canonical id of a schema version, such as ai@2026-09-01-stable.
// Versions can be compared with == and be map keys. The zero Version is no version.
type Version struct {
	typ    string
	date   string
	status Status
}

// NewVersion returns the version of a datachain type, a date (YYYY-MM-DD) and
// a status.
func NewVersion(typ, date string, status Status) (Version, error) {
	return ParseVersion(typ + "@" + date + "-" + string(status))
}

// ParseVersion parses a canonical id, <type>@<YYYY-MM-DD>-<status>. Use [ParseRef]
// for aliases.
func ParseVersion(s string) (Version, error) {
	v, err := parseVersion(s)
	return v, errname.Add("taxonomy", err)
}

func parseVersion(s string) (Version, error) {
	typ, rest, err := cutType(s)
	if err != nil {
		return Version{}, err
	}
	if !hasDatePrefix(rest) {
		return Version{}, malformed(s, "must be <type>@<YYYY-MM-DD>-beta or <type>@<YYYY-MM-DD>-stable")
	}
	return parseRelease(s, typ, rest)
}

// MustVersion parses a canonical id, as [ParseVersion] does, and panics if it is malformed.
func MustVersion(s string) Version {
	v, err := ParseVersion(s)
	if err != nil {
		panic(err)
	}
	return v
}

// Type returns the datachain type, the part before the @.
func (v Version) Type() string { return v.typ }

// Date returns the date as YYYY-MM-DD.
func (v Version) Date() string { return v.date }

// Status returns the status, the part after the date.
func (v Version) Status() Status { return v.status }

// IsZero reports whether v is the zero Version.
func (v Version) IsZero() bool { return v == Version{} }

// String returns the canonical id, or "" for the zero Version.
func (v Version) String() string {
	if v.IsZero() {
		return ""
	}
	return v.typ + "@" + v.Folder()
}

// Folder returns the part after the @, <date>-<status>, which is the name of the
// version's directory in authoring source and in published stores. It is "" for the
// zero Version.
func (v Version) Folder() string {
	if v.IsZero() {
		return ""
	}
	return v.date + "-" + string(v.status)
}

// Compare orders versions as in an [Index]: by type, then newest first, then stable
// before beta.
func (v Version) Compare(w Version) int {
	return cmp.Or(
		cmp.Compare(v.typ, w.typ),
		cmp.Compare(w.date, v.date),
		cmp.Compare(w.status, v.status),
	)
}

// MarshalText returns the canonical id.
func (v Version) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText parses a canonical id, as [ParseVersion] does.
func (v *Version) UnmarshalText(text []byte) error {
	parsed, err := parseVersion(string(text)) // the decoder says where it is
	if err == nil {
		*v = parsed
	}
	return err
}

// Ref is a reference to a schema version: a canonical id, or an alias such as
// ai@latest. [Index.Lookup] returns the [Version] that it refers to.
type Ref struct {
	typ     string
	name    string
	version Version
}

// ParseRef parses a canonical id or an alias. An alias is <type>@<name> with a name
// of [a-zA-Z0-9][a-zA-Z0-9._-]* that does not start like a date.
func ParseRef(s string) (Ref, error) {
	r, err := parseRef(s)
	return r, errname.Add("taxonomy", err)
}

func parseRef(s string) (Ref, error) {
	typ, name, err := cutType(s)
	if err != nil {
		return Ref{}, err
	}
	if hasDatePrefix(name) {
		v, err := parseRelease(s, typ, name)
		return v.Ref(), err
	}
	for i := range len(name) {
		if c := name[i]; !ident.IsIDByte(c) && c != '.' || i == 0 && (c == '_' || c == '-' || c == '.') {
			return Ref{}, malformed(s, "the name of an alias can have only letters, digits, '.', '_' and '-', and must start with a letter or digit")
		}
	}
	if name == "" || len(name) > ident.MaxIDLength {
		return Ref{}, malformed(s, "the part after @ must have 1 to 128 characters, such as latest or 2026-09-01-stable")
	}
	return Ref{typ: typ, name: name}, nil
}

// Ref returns the reference with the canonical id v.
func (v Version) Ref() Ref { return Ref{typ: v.typ, name: v.Folder(), version: v} }

// Type returns the datachain type, the part before the @.
func (r Ref) Type() string { return r.typ }

// Version returns the canonical id; ok is false if r is an alias.
func (r Ref) Version() (v Version, ok bool) { return r.version, !r.version.IsZero() }

// String returns the reference as text.
func (r Ref) String() string {
	if r == (Ref{}) {
		return ""
	}
	return r.typ + "@" + r.name
}

// cutType cuts s at the first @ and checks the part before it.
func cutType(s string) (typ, rest string, err error) {
	typ, rest, found := strings.Cut(s, "@")
	switch {
	case !found:
		return "", "", malformed(s, "must be <type>@<YYYY-MM-DD>-<status> or <type>@<alias>, such as <type>@latest")
	case !ident.IsID(typ):
		return "", "", malformed(s, "the type before @ must have 1 to 128 letters, digits, '_' and '-'")
	}
	return typ, rest, nil
}

// hasDatePrefix reports whether s starts with dddd-dd-dd.
func hasDatePrefix(s string) bool {
	const form = "dddd-dd-dd"
	if len(s) < len(form) {
		return false
	}
	for i := range len(form) {
		if form[i] == 'd' && (s[i] < '0' || '9' < s[i]) || form[i] == '-' && s[i] != '-' {
			return false
		}
	}
	return true
}

// parseRelease parses <date>-<status>; rest starts like a date.
func parseRelease(s, typ, rest string) (Version, error) {
	date, after := rest[:len(time.DateOnly)], rest[len(time.DateOnly):]
	if !ident.IsDate(date) {
		return Version{}, malformed(s, date+" is not a valid date")
	}
	status := Status(strings.TrimPrefix(after, "-"))
	if !strings.HasPrefix(after, "-") || status != Beta && status != Stable {
		return Version{}, malformed(s, "the date must be followed by -beta or -stable")
	}
	return Version{typ: typ, date: date, status: status}, nil
}

func malformed(s, reason string) error {
	return fmt.Errorf("%w %q: %s", errMalformedVersion, wording.Clip(s), reason)
}
