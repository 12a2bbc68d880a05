package stores

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/concurrent"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/registers"
	"github.com/datachain-go/datachain/internal/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// openMirror opens the register of a server, which is verified by its log if there is a trust.
func openMirror(at string, o *Options) (registers.Origin, error) {
	base, err := url.Parse(at)
	if err != nil || base.Scheme != "https" && base.Scheme != "http" || base.Host == "" {
		return nil, errors.New("must be a directory, or a URL such as https://register.example.org")
	}
	m := &mirror{
		base: base.JoinPath("api/v2/documents"), client: &http.Client{Timeout: mirrorTimeout},
		since: -1, pending: make(map[string]bool), entries: make(map[string]mirrored), slugs: make(map[string]string),
		// Another process begins with another number.
		sequence: time.Now().UnixMilli(),
	}
	name := "the register at " + base.Redacted()
	log := files.NewLog(o.Trust, o.SeenDir, m.readLog)
	if log == nil {
		return registers.Stored(name, m), nil
	}
	log.Sent = true
	return registers.Stored(name, &verifiedMirror{mirror: m, log: log}), nil
}

const (
	mirrorTimeout = 30 * time.Second
	// mirrorRequests is how many requests are made at a time.
	mirrorRequests = 8
	// maxMirrored is the size limit of an answer.
	maxMirrored = 64 << 20
)

// mirror gives the documents of another register the form that they have in a store. It asks
// for changes, and for the history of each document that has changed; texts are read, and
// checked by their hashes, like those of a store. What it can't get yet, such as because of
// a rate limit, it asks for again.
type mirror struct {
	base   *url.URL
	client *http.Client

	mu       sync.Mutex
	since    int64           // the sequence of the other register; negative at first
	pending  map[string]bool // slugs whose history is to be read
	entries  map[string]mirrored
	slugs    map[string]string // the ids of documents
	sequence int64
	wait     time.Time // until which the server wants no requests
}

// mirrored is a document as an index lists it.
type mirrored struct {
	Slug      string                `json:"slug"`
	ID        string                `json:"id"`
	Slugs     []string              `json:"slugs,omitempty"`
	Editions  []mirroredEdition     `json:"editions"`
	Current   taxonomy.Hash         `json:"current"`
	Sequence  int64                 `json:"sequence"`
	Withdrawn *registers.Withdrawal `json:"withdrawn,omitempty"`
}

// mirroredEdition is an edition. The API calls the hash edition.
type mirroredEdition struct {
	Edition  taxonomy.Hash    `json:"edition"`
	Hash     taxonomy.Hash    `json:"hash"`
	Time     time.Time        `json:"time"`
	Sequence int64            `json:"sequence"`
	Erased   *mirroredErasure `json:"erased,omitempty"`
}

type mirroredErasure struct {
	registers.Erasure
	Sequence int64 `json:"sequence"`
}

// ReadFile returns documents/index.json as the other register would have it, or a text.
func (m *mirror) ReadFile(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error) {
	if name == "documents/index.json" {
		return m.index(ctx, tag)
	}
	slug, file := path.Split(strings.TrimPrefix(name, "documents/"))
	edition, form := strings.TrimSuffix(file, ".json"), "thin"
	if thin, resolved := strings.CutSuffix(edition, ".resolved"); resolved {
		edition, form = thin, "resolved"
	}
	if slug == "" {
		return nil, "", fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	text, err = m.get(ctx, strings.Trim(slug, "/"), url.Values{"form": {form}, "edition": {edition}}, limit)
	return text, edition, err
}

// readLog reads a file of the log of the server, such as log/checkpoint.
func (m *mirror) readLog(ctx context.Context, name, _ string, limit int64) (text []byte, newTag string, err error) {
	text, err = m.get(ctx, "../"+name, nil, limit)
	return text, "", err
}

// verifiedMirror is a mirror of which the log proves every document, with its editions and
// whether it is withdrawn, and that none is missing.
type verifiedMirror struct {
	*mirror
	log *published.Log
	// again is when everything is read again that was refused, and delay the time after that.
	again time.Time
	delay time.Duration
}

// minDelay and maxDelay limit how often everything is read again.
const (
	minDelay = time.Second
	maxDelay = 10 * time.Minute
)

// ReadFile reads a file.
func (m *verifiedMirror) ReadFile(ctx context.Context, name, tag string, limit int64) ([]byte, string, error) {
	text, newTag, err := m.mirror.ReadFile(ctx, name, tag, limit)
	switch stale := m.log.Stale(); {
	case errors.Is(err, errNoRegister):
		err = m.MissingDocuments(ctx, err)
	case err != nil && stale != nil:
		err = fmt.Errorf("%w; %w", err, stale)
	}
	return text, newTag, err
}

// MissingDocuments verifies that the log has no documents.
func (m *verifiedMirror) MissingDocuments(ctx context.Context, why error) error {
	return m.log.MissingDocuments(ctx, why)
}

// ConfirmDocuments verifies the log again while nothing is said to have changed.
func (m *verifiedMirror) ConfirmDocuments(ctx context.Context) error {
	return m.readAgain(m.log.ConfirmDocuments(ctx))
}

// CheckDocuments verifies the documents of an index, once the history of all is known.
func (m *verifiedMirror) CheckDocuments(ctx context.Context, _ int64, list []signedlog.Document, register taxonomy.Hash) error {
	if len(m.pending) > 0 {
		return fmt.Errorf("the history of %s is not known yet, so the log can't be compared", prose.Count(len(m.pending), "document"))
	}
	return m.readAgain(m.log.CheckDocuments(ctx, 0, list, register))
}

// readAgain returns the error. After a refusal everything is read again, since any answer may
// have been wrong.
func (m *verifiedMirror) readAgain(err error) error {
	switch {
	case err == nil:
		m.delay = 0
	case signedlog.Reason(err) != "" && time.Now().After(m.again):
		m.delay = min(max(2*m.delay, minDelay), maxDelay)
		m.again, m.since = time.Now().Add(m.delay), -1
		for _, e := range m.entries {
			m.pending[e.Slug] = true
		}
	}
	return err
}

// errNoRegister means that a server has no register.
var errNoRegister = errors.New("the server has no register of documents")

// statusError is an answer without a result.
type statusError struct {
	url    string
	status int
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s: status %d %s", e.url, e.status, http.StatusText(e.status))
}

// Is reports that there is no such document.
func (e *statusError) Is(target error) bool {
	return target == fs.ErrNotExist && (e.status == http.StatusNotFound || e.status == http.StatusGone)
}

// get requests a path below /api/v2/documents.
func (m *mirror) get(ctx context.Context, name string, query url.Values, limit int64) ([]byte, error) {
	m.mu.Lock()
	wait := m.wait
	m.mu.Unlock()
	if time.Now().Before(wait) {
		return nil, fmt.Errorf("%s: the server is overloaded or limits requests: waiting until %s", m.base.Redacted(), wait.UTC().Format(time.RFC3339))
	}
	u := m.base.JoinPath(name)
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Service-Client", "datachain-serve")
	res, err := m.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if res.StatusCode != http.StatusOK {
		if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && res.StatusCode != http.StatusNotFound {
			m.mu.Lock()
			m.wait = time.Now().Add(min(time.Duration(seconds)*time.Second, time.Hour))
			m.mu.Unlock()
		}
		return nil, &statusError{u.Redacted(), res.StatusCode}
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("%s: the answer has more than %d bytes", u.Redacted(), limit)
	}
	return text, nil
}

// index follows the changes, and returns all that is known of the other register.
func (m *mirror) index(ctx context.Context, tag string) ([]byte, string, error) {
	query := make(url.Values)
	if m.since >= 0 {
		query.Set("since", strconv.FormatInt(m.since, 10))
	}
	text, err := m.get(ctx, "changes", query, maxMirrored)
	if errors.Is(err, fs.ErrNotExist) { // not an empty register
		err = fmt.Errorf("%w: %s", errNoRegister, err.Error())
	}
	if err != nil {
		return nil, "", err
	}
	var answer struct {
		Changes []registers.Event `json:"changes"`
		Next    int64             `json:"next"`
		Reset   bool              `json:"reset"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, "", fmt.Errorf("%s: %w", m.base.Redacted(), err)
	}
	if answer.Reset {
		for _, e := range m.entries { // which may not exist any more
			m.pending[e.Slug] = true
		}
	}
	for _, e := range answer.Changes {
		m.pending[e.Slug] = true
	}
	m.since = answer.Next
	if err := m.follow(ctx); err != nil && len(m.entries) == 0 {
		return nil, "", err
	}
	newTag := strconv.FormatInt(m.sequence, 10)
	if newTag == tag {
		return nil, tag, nil
	}
	index, err := json.Marshal(map[string]any{
		"format": 1, "sequence": m.sequence, "documents": slices.Collect(maps.Values(m.entries)),
	})
	return index, newTag, err
}

// follow reads the history of the documents that have changed.
func (m *mirror) follow(ctx context.Context) error {
	slugs := slices.Sorted(maps.Keys(m.pending))
	next := m.sequence + 1
	return concurrent.Each(ctx, mirrorRequests, len(slugs), func(_, i int) error {
		text, err := m.get(ctx, slugs[i]+"/history", nil, maxMirrored)
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		known, listed := m.entries[m.slugs[slugs[i]]]
		entry := known
		switch {
		case !missing:
			if entry, err = readHistory(text, known, next); err != nil {
				return fmt.Errorf("%s/%s/history: %w", m.base.Redacted(), slugs[i], err)
			}
		case listed && known.Withdrawn == nil:
			entry.Sequence = next
			entry.Withdrawn = &registers.Withdrawal{Time: time.Now().UTC().Truncate(time.Second), Reason: "It is no longer in the register that this one mirrors."}
		}
		delete(m.pending, slugs[i])
		if entry.Sequence == next {
			m.entries[entry.ID], m.sequence = entry, next
			m.slugs[entry.Slug] = entry.ID
		}
		return nil
	})
}

// readHistory reads the history of a document. What is not known yet gets the sequence.
func readHistory(text []byte, known mirrored, sequence int64) (mirrored, error) {
	var e mirrored
	if err := json.Unmarshal(text, &e); err != nil {
		return e, err
	}
	slices.Reverse(e.Editions) // an index has the oldest first
	changed := e.Slug != known.Slug || e.Current != known.Current || (e.Withdrawn == nil) != (known.Withdrawn == nil) ||
		len(e.Editions) != len(known.Editions)
	e.Sequence = known.Sequence
	for i := range e.Editions {
		one := &e.Editions[i]
		one.Hash, one.Sequence = one.Edition, sequence
		k := slices.IndexFunc(known.Editions, func(was mirroredEdition) bool { return was.Hash == one.Hash })
		if k >= 0 {
			one.Sequence = known.Editions[k].Sequence
			changed = changed || !known.Editions[k].Time.Equal(one.Time)
		}
		if one.Erased == nil {
			continue
		}
		one.Erased.Sequence = sequence
		if k >= 0 && known.Editions[k].Erased != nil {
			one.Erased.Sequence = known.Editions[k].Erased.Sequence
		} else {
			changed = true
		}
	}
	if changed {
		e.Sequence = sequence
	}
	return e, nil
}
