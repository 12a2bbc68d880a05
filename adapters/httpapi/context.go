package httpapi

import (
	"context"
	"time"

	"github.com/datachain-go/datachain/internal/trace"
)

// requestContext is a response as the context of its request, which also knows the
// origin of requests that are made on its behalf. It needs no memory of its own, and
// headers are read only if there are such requests.
type requestContext response

var _ context.Context = (*requestContext)(nil)

// Deadline implements [context.Context].
func (c *requestContext) Deadline() (time.Time, bool) { return c.request.Context().Deadline() }

// Done implements [context.Context].
func (c *requestContext) Done() <-chan struct{} { return c.request.Context().Done() }

// Err implements [context.Context].
func (c *requestContext) Err() error { return c.request.Context().Err() }

// Value implements [context.Context].
func (c *requestContext) Value(key any) any {
	if key == (trace.Key{}) {
		return trace.Read(c.id[0], c.request.Header)
	}
	return c.request.Context().Value(key)
}
