// Package mirror reads the register of another server.
package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Open returns an origin that mirrors the register of a server. If trusted is not nil, it verifies the
// register by the log of the server, and keeps the highest checkpoint in seenDir unless that is "".
func Open(at string, trusted *trust.Trust, seenDir string) (register.Origin, error) {
	base, err := url.Parse(at)
	if err != nil || base.Scheme != "https" && base.Scheme != "http" || base.Host == "" {
		return nil, errors.New("must be a directory, or a URL such as https://register.example.org")
	}
	m := &mirror{
		base: base.JoinPath("api/v2/documents"), client: &http.Client{Timeout: mirrorTimeout},
		since: -1, pending: make(map[string]bool), entries: make(map[string]documents.Entry), slugs: make(map[string]string),
		refused: make(map[string]register.Refusal), failed: make(map[string]error),
		// A sequence that is greater than that of an earlier process.
		sequence: time.Now().UnixMilli(),
	}
	name := "the register at " + base.Redacted()
	if trusted == nil {
		return register.Stored(name, m, nil), nil
	}
	log := follow.Served(trusted, seenDir)
	log.Verify(m.readLog)
	verified := &verifiedMirror{mirror: m, log: log}
	return register.Stored(name, verified, verified), nil
}

const (
	mirrorTimeout = 30 * time.Second
	// mirrorRequests is how many requests are made at a time.
	mirrorRequests = 8
	// maxMirrored is the size limit of an answer.
	maxMirrored = 64 << 20
)

// mirror reads another register as if it were a store. It requests changes and the history of each
// document that has changed, and makes an index of them. Texts are read and checked by their hashes
// like those of a store. Requests that fail, for example because of a rate limit, are repeated.
type mirror struct {
	base   *url.URL
	client *http.Client

	mu       sync.Mutex
	since    int64                       // the sequence of the other register, or negative before the first request
	pending  map[string]bool             // slugs whose history must be read
	entries  map[string]documents.Entry  // by id
	slugs    map[string]string           // ids by slug, including earlier slugs
	refused  map[string]register.Refusal // by slug in the other register
	failed   map[string]error            // why the history of a slug can't be read
	sequence int64                       // of the index that mirror makes
	wait     time.Time                   // no requests before; see Retry-After
}

// ReadFile returns documents/index.json as the other register would have it, or a text.
func (m *mirror) ReadFile(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error) {
	if name == documents.IndexFile {
		return m.index(ctx, tag)
	}
	slug, file := path.Split(strings.TrimPrefix(name, documents.Dir+"/"))
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

// errWait means that a server has sent Retry-After, and the time is not over.
var errWait = errors.New("the server is overloaded or limits requests: waiting")

// errNoRegister means that a server has no register.
var errNoRegister = errors.New("the server has no register of documents")

// get requests a path below /api/v2/documents.
func (m *mirror) get(ctx context.Context, name string, query url.Values, limit int64) ([]byte, error) {
	m.mu.Lock()
	wait := m.wait
	m.mu.Unlock()
	if time.Now().Before(wait) {
		return nil, fmt.Errorf("%s: %w until %s", m.base.Redacted(), errWait, wait.UTC().Format(time.RFC3339))
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
		return nil, &reader.StatusError{Status: res.StatusCode, Message: fmt.Sprintf("%s: status %d %s", u.Redacted(), res.StatusCode, http.StatusText(res.StatusCode))}
	}
	text, err := limited.Read(res.Body, limit, 0)
	if errors.Is(err, limited.ErrTooLarge) {
		err = fmt.Errorf("%s: the answer has more than %d bytes", u.Redacted(), limit)
	}
	return text, err
}

// index requests changes, and returns an index of everything that is known of the other register.
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
		Changes []register.Event `json:"changes"`
		Next    int64            `json:"next"`
		Reset   bool             `json:"reset"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, "", fmt.Errorf("%s: %w", m.base.Redacted(), err)
	}
	if answer.Reset {
		for _, e := range m.entries { // any of them may have been removed
			m.pending[e.Slug] = true
		}
	}
	for _, e := range answer.Changes {
		m.pending[e.Slug] = true
	}
	m.since = answer.Next
	if err = m.readHistories(ctx); err == nil {
		err = m.Incomplete()
	}
	if err != nil && len(m.entries) == 0 {
		return nil, "", err
	}
	newTag := strconv.FormatInt(m.sequence, 10)
	if newTag == tag {
		return nil, tag, nil
	}
	index := documents.Index{Sequence: m.sequence, Documents: slices.Collect(maps.Values(m.entries))}
	text, err = index.Encode()
	return text, newTag, err
}

// readHistories reads the history of each document that has changed. One that can't be read does not
// stop the others.
func (m *mirror) readHistories(ctx context.Context) error {
	slugs := slices.Sorted(maps.Keys(m.pending))
	next := m.sequence + 1
	return parallel.Each(ctx, mirrorRequests, len(slugs), func(_, i int) error {
		slug := slugs[i]
		text, err := m.get(ctx, slug+"/history", nil, maxMirrored)
		m.mu.Lock()
		defer m.mu.Unlock()
		switch {
		case errors.Is(err, errWait):
			return err // all others would be refused, too
		case errors.Is(err, fs.ErrNotExist):
			m.withdraw(slug, next)
			m.refuse(slug, next, register.Refusal{})
			err = nil
		case err == nil:
			err = m.update(slug, text, next)
		}
		if m.failed[slug] = err; err == nil {
			delete(m.failed, slug)
			delete(m.pending, slug)
		}
		return nil
	})
}

// withdraw withdraws the document with a slug, which the other register does not have any more.
func (m *mirror) withdraw(slug string, sequence int64) {
	known, listed := m.entries[m.slugs[slug]]
	if !listed || known.Slug != slug || known.Withdrawn != nil {
		return
	}
	known.Sequence, m.sequence = sequence, sequence
	known.Withdrawn = &documents.Withdrawal{Time: time.Now().UTC().Truncate(time.Second), Reason: "It is no longer in the register that this one mirrors."}
	m.entries[known.ID] = known
}

// refuse keeps why the document at a slug of the other register is refused; no issues mean that it is not.
func (m *mirror) refuse(slug string, sequence int64, r register.Refusal) {
	if fmt.Sprint(m.refused[slug].Issues) != fmt.Sprint(r.Issues) {
		m.sequence = sequence
	}
	if m.refused[slug] = r; len(r.Issues) == 0 {
		delete(m.refused, slug)
	}
}

// Refused returns the documents of the other register that can't be mirrored as they are.
func (m *mirror) Refused() []register.Refusal {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []register.Refusal
	for _, slug := range slices.Sorted(maps.Keys(m.refused)) {
		list = append(list, m.refused[slug])
	}
	return list
}

// Incomplete returns why some documents could not be read yet, or nil.
func (m *mirror) Incomplete() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, slug := range slices.Sorted(maps.Keys(m.failed)) {
		return fmt.Errorf("the history of %s can't be read, such as that of %s: %w", wording.Count(len(m.failed), "document"), slug, m.failed[slug])
	}
	return nil
}

// update updates the entry of the document at a slug by its history. What is new gets the sequence.
func (m *mirror) update(slug string, text []byte, sequence int64) error {
	e, err := entryOf(text)
	if err != nil {
		return err
	}
	known := m.entries[e.ID]
	refused := register.Refusal{File: "documents/" + slug, ID: e.ID}
	if owner, taken := m.slugs[e.Slug]; taken && owner != e.ID {
		// The slug was that of another document, which has been removed there, and keeps it here.
		m.withdraw(e.Slug, sequence)
		refused.Issues = append(refused.Issues, conflicting(
			fmt.Sprintf("The register that this one mirrors gives the slug %s of the document %s to another one.", e.Slug, wording.Clip(owner)),
			"choose another register.slug there"))
		if e.Slug, e.Slugs = known.Slug, known.Slugs; known.ID == "" {
			m.refuse(slug, sequence, refused)
			return nil
		}
	}
	e.Slugs = slices.DeleteFunc(slices.Clone(e.Slugs), func(slug string) bool { owner, taken := m.slugs[slug]; return taken && owner != e.ID })
	changed := e.Slug != known.Slug || !slices.Equal(e.Slugs, known.Slugs) || e.Current != known.Current || (e.Withdrawn == nil) != (known.Withdrawn == nil)
	editionsChanged, revived := mergeEditions(&e, &known, sequence)
	changed = changed || editionsChanged
	if !ident.IsSlug(e.Slug) || e.ID == "" || e.Edition(e.Current) == nil {
		return errors.New("the answer is incomplete")
	}
	if revived > 0 {
		refused.Issues = append(refused.Issues, conflicting(
			fmt.Sprintf("The register that this one mirrors shows %s of %s again that it had erased. The texts stay erased here.", wording.Count(revived, "edition"), e.Slug),
			"it has gone back in time: restore its newest state"))
	}
	for other, r := range m.refused {
		if r.ID == e.ID && other != slug {
			m.refuse(other, sequence, register.Refusal{}) // it has a slug now
		}
	}
	m.refuse(slug, sequence, refused)
	if e.Sequence = known.Sequence; changed {
		e.Sequence, m.sequence = sequence, sequence
		m.entries[e.ID] = e
		for _, slug := range append([]string{e.Slug}, e.Slugs...) {
			m.slugs[slug] = e.ID
		}
	}
	return nil
}

// mergeEditions gives the editions of an entry what is known of them: their sequences, unless they are
// new, and that they were erased. It returns whether they have changed, and how many erased editions
// the entry shows again.
func mergeEditions(e, known *documents.Entry, sequence int64) (changed bool, revived int) {
	missing := make(map[taxonomy.Hash]documents.Edition, len(known.Editions)) // in e
	for _, edition := range known.Editions {
		missing[edition.Hash] = edition
	}
	for i := range e.Editions {
		edition := &e.Editions[i]
		edition.Sequence = sequence
		was, listed := missing[edition.Hash]
		delete(missing, edition.Hash)
		if listed {
			edition.Sequence = was.Sequence
		}
		changed = changed || !listed || !was.Time.Equal(edition.Time) || edition.Erased != nil && was.Erased == nil
		switch {
		case was.Erased != nil && edition.Erased == nil:
			edition.Erased = was.Erased
			revived++
		case was.Erased != nil:
			edition.Erased.Sequence = was.Erased.Sequence
		case edition.Erased != nil:
			edition.Erased.Sequence = sequence
		}
	}
	// Erased editions stay listed, so that they do not come back.
	for _, edition := range slices.Backward(known.Editions) {
		if _, lacks := missing[edition.Hash]; lacks && edition.Erased != nil {
			e.Editions = slices.Insert(e.Editions, 0, edition)
			delete(missing, edition.Hash)
		}
	}
	return changed || len(missing) > 0, revived
}

// entryOf returns the entry of an index for the history of a document. Unlike a history, an index has
// the oldest edition first.
func entryOf(history []byte) (e documents.Entry, err error) {
	var answer struct {
		Slug      string                `json:"slug"`
		ID        string                `json:"id"`
		Slugs     []string              `json:"slugs"`
		Current   taxonomy.Hash         `json:"current"`
		Withdrawn *documents.Withdrawal `json:"withdrawn"`
		Editions  []struct {
			Edition taxonomy.Hash      `json:"edition"`
			Time    time.Time          `json:"time"`
			Erased  *documents.Erasure `json:"erased"`
		} `json:"editions"`
	}
	err = json.Unmarshal(history, &answer)
	e = documents.Entry{Slug: answer.Slug, ID: answer.ID, Slugs: answer.Slugs, Current: answer.Current, Withdrawn: answer.Withdrawn}
	for _, edition := range slices.Backward(answer.Editions) {
		e.Editions = append(e.Editions, documents.Edition{Hash: edition.Edition, Time: edition.Time, Erased: edition.Erased})
	}
	return e, err
}

// conflicting returns a finding about the other register.
func conflicting(message, hint string) issue.Issue {
	return issue.Issue{Code: codes.RegisterConflict, Severity: issue.SeverityError, Path: issue.Root, Message: message, FixHint: hint}
}
