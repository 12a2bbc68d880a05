package s3target_test

import (
	"context"
	"testing"

	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
)

func TestTarget(t *testing.T) {
	targettest.Run(t, func(t *testing.T) targettest.Opener {
		t.Helper()
		t.Parallel()
		server := s3test.NewS3(bucket)
		server.PageSize = 7
		return func(ctx context.Context) (publish.Target, error) {
			at := access(server)
			return s3target.Open(ctx, address, &at)
		}
	})
}
