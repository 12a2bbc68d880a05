package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
)

// verifiedMirror is a mirror that the log of the server proves: each document with its editions and
// whether it is withdrawn, and that none is missing.
type verifiedMirror struct {
	*mirror
	log *follow.Log
	// again is when everything may be read again after a refusal, and delay the time until then.
	again time.Time
	delay time.Duration
	// proven and slugs are the entries and slugs that the log proved last.
	proven map[string]documents.Entry
	slugs  map[string]string
}

// minDelay and maxDelay limit how often everything is read again.
const (
	minDelay = time.Second
	maxDelay = 10 * time.Minute
)

// ReadFile reads a file.
func (m *verifiedMirror) ReadFile(ctx context.Context, name, tag string, limit int64) ([]byte, string, error) {
	text, newTag, err := m.mirror.ReadFile(ctx, name, tag, limit)
	if errors.Is(err, errNoRegister) {
		err = m.MissingDocuments(ctx, err)
	}
	return text, newTag, err
}

// MissingDocuments verifies that the log has no documents.
func (m *verifiedMirror) MissingDocuments(ctx context.Context, why error) error {
	return m.log.MissingDocuments(ctx, why)
}

// ConfirmDocuments verifies the log again although the server reports no changes.
func (m *verifiedMirror) ConfirmDocuments(ctx context.Context) error {
	return m.resetIfRefused(m.log.ConfirmDocuments(ctx))
}

// CheckDocuments verifies the documents of an index. It fails while the history of one is not known.
func (m *verifiedMirror) CheckDocuments(ctx context.Context, index []byte) error {
	if len(m.pending) > 0 {
		return fmt.Errorf("the history of %s is not known yet, so the log can't be compared", wording.Count(len(m.pending), "document"))
	}
	err := m.log.CheckDocuments(ctx, index)
	if err == nil {
		m.proven, m.slugs = maps.Clone(m.entries), maps.Clone(m.mirror.slugs)
	}
	return m.resetIfRefused(err)
}

// Checkpoint returns nil: an index of a mirror has a sequence of its own, which has to grow.
func (m *verifiedMirror) Checkpoint() []byte { return nil }

// resetIfRefused returns the error. If the log does not prove the documents, any response may have
// been wrong, so it goes back to what was proven, and everything else is read again: otherwise
// documents and erasures that the server made up would stay.
func (m *verifiedMirror) resetIfRefused(err error) error {
	switch {
	case err == nil:
		m.delay = 0
	case trust.Reason(err) != "" && time.Now().After(m.again):
		m.delay = min(max(2*m.delay, minDelay), maxDelay)
		m.again, m.since = time.Now().Add(m.delay), -1
		m.mu.Lock()
		defer m.mu.Unlock()
		clear(m.entries)
		maps.Copy(m.entries, m.proven)
		clear(m.mirror.slugs)
		maps.Copy(m.mirror.slugs, m.slugs)
		clear(m.refused)
		clear(m.pending)
		clear(m.failed)
		for _, e := range m.entries {
			m.pending[e.Slug] = true
		}
	}
	return err
}
