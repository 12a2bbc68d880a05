package command

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/internal/parallel"
)

// each calls do for each of n parts of some work at once, and shows how far it is. It returns when
// ctx ends: a part may be standard input, which may never end.
func (p *program) each(ctx context.Context, what string, n int, do func(i int) error) error {
	bar := p.Progress(what)
	defer bar.End()
	var done atomic.Int64
	_, err := console.Await(ctx, func() (any, error) {
		return nil, parallel.Each(ctx, runtime.GOMAXPROCS(0), n, func(_, i int) error {
			defer func() { bar.Update(int(done.Add(1)), n) }()
			return do(i)
		})
	})
	return err
}
