package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRequireEachOther: a released module has versions instead of replacements, and on main both.
// `make modules` makes a whole release.
func TestRequireEachOther(t *testing.T) {
	released, replaced, err := requireEachOther([]byte(`module github.com/datachain-go/datachain/cmd

replace (
	github.com/datachain-go/datachain => ../..
	github.com/datachain-go/datachain/pages/sign => ../../pages/sign
)

require (
	example.org/other v1.2.3
	github.com/datachain-go/datachain v0.9.0
	github.com/datachain-go/datachain/pages/sign v0.9.0
)
`), "v1.0.0")
	require.NoError(t, err)
	required := `require (
	example.org/other v1.2.3
	github.com/datachain-go/datachain v1.0.0
	github.com/datachain-go/datachain/pages/sign v1.0.0
)
`
	assert.Equal(t, "module github.com/datachain-go/datachain/cmd\n\n"+required, string(released))
	assert.Contains(t, string(replaced), required)
	assert.Contains(t, string(replaced), "github.com/datachain-go/datachain => ../..\n")
}

func TestTags(t *testing.T) {
	assert.Equal(t, []string{"v1.0.0", "adapters/redisshare/v1.0.0", "adapters/s3store/v1.0.0", "pages/sign/v1.0.0", "cmd/v1.0.0"}, tagsOf(folders, "v1.0.0"))
	assert.Equal(t, "github.com/datachain-go/datachain", pathOf("."))
	require.ErrorContains(t, release(t.Context(), ".", "1.0", false), "want a semantic version")
}
