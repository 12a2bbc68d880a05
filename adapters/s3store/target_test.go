package s3store_test

import (
	"context"
	"testing"

	"github.com/datachain-go/datachain/internal/enginetest"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/s3bucket"
)

func TestTarget(t *testing.T) {
	enginetest.RunTarget(t, func(t *testing.T) enginetest.OpenTarget {
		t.Helper()
		t.Parallel()
		server := enginetest.NewS3(bucket)
		server.PageSize = 7
		return func(ctx context.Context) (publish.Target, error) {
			at := access(server)
			return s3bucket.Open(ctx, address, &at)
		}
	})
}
