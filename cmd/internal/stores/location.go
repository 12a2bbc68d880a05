package stores

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain/cmd/internal/sources"
)

// Location says where schema versions are. One of the first three fields is set; if none
// is, the location is not known yet.
type Location struct {
	// Schemas is the directory of a schema source.
	Schemas string
	// Store is a directory of published versions, s3://bucket/prefix or a URL.
	Store string
	// Samples are the built-in sample taxonomies.
	Samples bool
	// By is what named the location, with which errors begin: "--store", "DATACHAIN_STORE" or
	// "datachain.yaml: store". It is "" for a default.
	By string
}

// Access says how to reach a bucket.
type Access struct {
	// Endpoint is the URL of a server other than AWS, and Region that of the bucket; "" is what the
	// configuration of AWS says.
	Endpoint, Region string
}

// Known reports whether the location says where versions are.
func (l Location) Known() bool { return l.Schemas != "" || l.Store != "" || l.Samples }

// Remote reports whether the location is a bucket or a URL.
func (l Location) Remote() bool { return strings.Contains(l.Store, "://") }

// Bucket reports whether the location is a bucket.
func (l Location) Bucket() bool { return strings.HasPrefix(l.Store, "s3://") }

// String describes the location for people, without a password.
func (l Location) String() string {
	switch {
	case l.Samples:
		return "the built-in sample taxonomies"
	case l.Remote():
		return "the store at " + Redacted(l.Store)
	case l.Store != "":
		return "the store in " + l.Store
	}
	return "the schema source in " + l.Schemas
}

// Served describes what a server serves, and what named it unless that was a flag.
func (l Location) Served() string {
	text := l.String()
	if l.Schemas != "" {
		text += ", as it is edited"
	}
	if by, _, _ := strings.Cut(l.By, ":"); by != "" && !strings.HasPrefix(by, "--") {
		text += " (" + by + ")"
	}
	return text
}

// OpenSource opens the schema source that the location is or belongs to. Paths are relative to the working
// directory dir.
func (l Location) OpenSource(dir string) (*sources.Source, error) {
	s, err := sources.Open(dir, l.Schemas)
	if err != nil && l.By != "" {
		err = fmt.Errorf("%s %w", l.By, err)
	}
	return s, err
}

// Failed returns the error for a location that can't be opened.
func (l Location) Failed(err error) error {
	return fmt.Errorf("%s: %w", strings.TrimSpace(l.By+" "+l.Schemas+Redacted(l.Store)), err)
}

// Redacted returns a name without the password that it has if it is a URL.
func Redacted(name string) string {
	if !strings.Contains(name, "://") {
		return name
	}
	u, err := url.Parse(name)
	switch {
	case err != nil:
		return "URL"
	case u.User == nil:
		return name
	}
	return u.Redacted()
}
