package datachain_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestHTTPStatus(t *testing.T) {
	service := samples(t)
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
		"canceled":  {fmt.Errorf("opening: %w", context.Canceled), 504, issue.CodeTimeout},
		"other":     {errors.New("the disk is broken"), 500, issue.CodeInternalError},
		"none":      {nil, 500, issue.CodeInternalError},
		"of others": {&datachain.Error{Issue: issue.Issue{Code: "mine", Message: "No."}}, 500, "mine"},
	} {
		status, visible := datachain.HTTPStatus(c.err)
		assert.Equal(t, c.status, status, name)
		assert.Equal(t, c.code, visible.Code, name)
		assert.NotContains(t, visible.String(), "disk", name)
	}
}
