package s3store_test

import (
	"context"
	"testing"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/publish/publishtest"
	"github.com/datachain-go/datachain/internal/s3bucket"
	"github.com/datachain-go/datachain/internal/testengine"
)

func TestTarget(t *testing.T) {
	publishtest.Run(t, func(t *testing.T) publishtest.OpenFunc {
		t.Helper()
		t.Parallel()
		server := testengine.NewS3(bucket)
		server.PageSize = 7
		return func(ctx context.Context) (publish.Target, error) {
			return s3bucket.Open(ctx, address, &s3bucket.Options{Access: access(server), Keep: -1})
		}
	})
}
