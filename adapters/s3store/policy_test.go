package s3store_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The policies in the documentation are JSON, and name the permissions that messages
// ask for.
func TestDocumentedPolicies(t *testing.T) {
	page, err := os.ReadFile("../../docs/buckets.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1)
	require.Len(t, blocks, 2)
	for i, want := range [][]string{{"s3:GetObject", "s3:ListBucket"}, {"s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket"}} {
		var policy struct{ Statement []struct{ Action any } }
		require.NoError(t, json.Unmarshal(blocks[i][1], &policy))
		var got []string
		for _, s := range policy.Statement {
			switch action := s.Action.(type) {
			case string:
				got = append(got, action)
			case []any:
				for _, a := range action {
					got = append(got, a.(string))
				}
			}
		}
		require.Equal(t, want, got)
	}
}
