package reviews

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/register/review"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Accepted is a finding that was looked at and is left as it is, until its text changes or a day has
// passed.
type Accepted struct {
	File string      `json:"file"`
	Kind review.Kind `json:"kind"`
	// Path is the place of the finding. The positions of items in lists do not count, since they change
	// when others are added.
	Path string `json:"path"`
	// Text is the message of the finding.
	Text   string `json:"text"`
	Reason string `json:"reason"`
	// Until is the last day, or "" for no end.
	Until string `json:"until"`

	expired bool
}

// Accept returns entries that would accept the findings, without the reasons.
func (r *Report) Accept() []Accepted {
	list := []Accepted{}
	for _, f := range r.Findings {
		list = append(list, Accepted{File: f.File, Kind: f.Kind, Path: f.Path.String(), Text: f.Message})
	}
	return list
}

// ParseAccepted reads a file of entries, as a JSON array. Those whose day has passed accept nothing.
func ParseAccepted(text []byte, today string) ([]Accepted, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var list []Accepted
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("must be a list of {file, kind, path, text, reason, until}: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("must be one list, with nothing after it")
	}
	for i := range list {
		if err := list[i].check(); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		list[i].expired = list[i].Until != "" && list[i].Until < today
	}
	return list, nil
}

// check returns what is missing or wrong in an entry.
func (a *Accepted) check() error {
	if !slices.Contains(review.Kinds(), a.Kind) {
		return fmt.Errorf("the kind %q is not known", a.Kind)
	}
	if a.File == "" || a.Text == "" {
		return errors.New("the file and the text of the finding are missing: 'datachain documents review --format accept' prints entries")
	}
	if _, err := issue.ParsePath(a.Path); err != nil {
		return fmt.Errorf("the path: %w", err)
	}
	if strings.TrimSpace(a.Reason) == "" {
		return errors.New("write a reason, so that others know why it was accepted")
	}
	if _, err := time.Parse(time.DateOnly, a.Until); a.Until != "" && err != nil {
		return fmt.Errorf("until must be a date such as 2027-03-31, not %q", a.Until)
	}
	return nil
}

// matches reports whether an entry accepts a finding.
func (a *Accepted) matches(f *review.Finding) bool {
	return !a.expired && a.File == f.File && a.Kind == f.Kind && a.Text == f.Message && shape(a.Path) == shape(f.Path.String())
}

// shape returns a path without positions in lists.
func shape(path string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(path, "[") {
		if i := strings.IndexByte(part, ']'); i > 0 && strings.Trim(part[:i], "0123456789") == "" {
			part = part[i+1:]
		}
		b.WriteString(part)
	}
	return b.String()
}
