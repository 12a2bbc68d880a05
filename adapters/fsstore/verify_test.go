package fsstore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/taxonomy"
)

// judge is a verifier that knows no log.
type judge struct {
	read    taxonomy.ReadFunc
	verdict error // on the index
}

func (j *judge) Verify(read taxonomy.ReadFunc) taxonomy.Verifier {
	j.read = read
	return j
}

func (j *judge) Check(ctx context.Context, _ *taxonomy.Index) error {
	if _, _, err := j.read(ctx, layout.IndexFile, "", layout.MaxIndex); err != nil {
		return err
	}
	return j.verdict
}

func (j *judge) Confirm(context.Context, *taxonomy.Index) error { return j.verdict }
func (j *judge) Due() bool                                      { return true }
func (j *judge) Missing(_ context.Context, why error) error     { return why }
func (j *judge) Malformed(why error) error                      { return fmt.Errorf("%w: %w", taxonomy.ErrRefused, why) }
func (j *judge) Scope() string                                  { return "the judge" }

// TestVerify opens a store with a verifier of a program's own: what it refuses is not served, and if
// it can't tell, the store fails.
func TestVerify(t *testing.T) {
	refused, unknown := fmt.Errorf("%w: it is raining", taxonomy.ErrRefused), errors.New("the judge is away")
	for _, verdict := range []error{refused, unknown} {
		_, err := fsstore.OpenDir("testdata/schemas", &fsstore.Options{Verify: (&judge{verdict: verdict}).Verify})
		require.ErrorIs(t, err, verdict)

		j := new(judge)
		s, err := fsstore.OpenDir("testdata/schemas", &fsstore.Options{Verify: j.Verify})
		require.NoError(t, err)
		good, err := s.Index(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.Err())
		j.verdict = verdict
		x, err := s.Index(t.Context())
		if errors.Is(verdict, taxonomy.ErrRefused) {
			require.NoError(t, err)
			require.Same(t, good, x)
			require.ErrorIs(t, s.Err(), verdict)
		} else {
			require.ErrorIs(t, err, verdict)
			require.NoError(t, s.Err())
		}
		j.verdict = nil
		_, err = s.Index(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.Err())
		require.NoError(t, s.Close())
	}
}
