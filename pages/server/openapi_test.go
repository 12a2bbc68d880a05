package server_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/pages/server"
	"github.com/datachain-go/datachain/register"
)

// TestDescription compares the description of the whole API with the recorded one,
// which tests of other tools read. With UPDATE=1 it writes it.
func TestDescription(t *testing.T) {
	text, err := httpapi.OpenAPI("", server.Routes(new(register.Register), nil, nil)...)
	require.NoError(t, err)
	goldentest.File(t, "testdata/openapi.json", string(text))
}
