package diff

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCode(t *testing.T) {
	require.Equal(t, "`a'b`", code("a`b"))
}
