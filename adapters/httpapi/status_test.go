package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestStatus(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	_, malformed := service.Open(t.Context(), "ai")
	_, unknown := service.Open(t.Context(), "ai@v9")
	for name, c := range map[string]struct {
		err    error
		status int
		code   issue.Code
	}{
		"malformed": {malformed, 400, issue.CodeBadRequest},
		"wrapped":   {fmt.Errorf("opening: %w", unknown), 404, issue.CodeNotFound},
		"store":     {&datachain.Error{Issue: issue.Issue{Code: issue.CodeUpstreamError, Message: "No."}, Err: errors.New("the disk is broken")}, 502, issue.CodeUpstreamError},
		"deadline":  {context.DeadlineExceeded, 504, issue.CodeTimeout},
		"other":     {errors.New("the disk is broken"), 500, issue.CodeInternalError},
		"of others": {&datachain.Error{Issue: issue.Issue{Code: "mine", Message: "No."}}, 500, "mine"},
	} {
		status, seen := httpapi.Status(c.err)
		assert.Equal(t, c.status, status, name)
		assert.Equal(t, c.code, seen.Code, name)
		assert.NotContains(t, seen.String(), "disk", name)
	}
}
