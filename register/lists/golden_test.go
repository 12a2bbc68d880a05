package lists_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/register/lists"
)

// TestLists compares what queries find in a register of 300 documents, and the hashes of their
// facets and of each format, with testdata/lists.txt.
func TestLists(t *testing.T) {
	r := registertest.OpenDir(t, registertest.Many(t, 300))
	s := r.State()
	require.Empty(t, s.Refused())
	var out strings.Builder
	hash := func(name, text string) { fmt.Fprintf(&out, "%s %.8x\n", name, sha256.Sum256([]byte(text))) }
	for _, query := range []string{
		"", "sort=title", "sort=title&lang=fr", "q=harbour", "q=harbour+park&sort=title", "q=Système+17&lang=fr", "q=suggests+which+requests",
		"q=camras", "q=camera&status=retired", "type=ai&status=in_use&theme=water", "organisation=Department+7&sort=change", "place=water+street+16",
		"risk=limited", "data=personal", "element=rights.ask,purpose.safety", "status=planned,trial,in_use,paused,retired&lang=de",
	} {
		values, err := url.ParseQuery(query)
		require.NoError(t, err)
		q, err := register.ParseQuery(values)
		require.NoError(t, err)
		found, err := s.Find(q)
		require.NoError(t, err)
		facets, err := json.Marshal(found.Facets())
		require.NoError(t, err)
		first, _, err := found.Page(8, "")
		require.NoError(t, err)
		fmt.Fprintf(&out, "\n?%s\n%d %s\n", query, found.Len(), registertest.Slugs(first))
		hash("order", registertest.Found(found))
		hash("facets", string(facets))
		for _, f := range lists.Formats() {
			hash(string(f), written(t, s, q, f))
		}
	}
	goldentest.File(t, "testdata/lists.txt", out.String())
}
