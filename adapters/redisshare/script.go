package redisshare

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

//go:embed window.lua
var windowScript string

// layout is the version of what is stored. It is part of every key, so servers
// with different layouts do not misread one another during a rollout.
const layout = "1"

// A script is a script of the limiter, with what all checks have in common.
type script struct {
	*redis.Script
	prefix string // of keys, with the layout
	window int    // in seconds
}

func newScript(prefix string, window int) *script {
	return &script{Script: redis.NewScript(windowScript), prefix: prefix + ":" + layout + ":", window: window}
}

// keys returns the keys of a check, all in one slot of a cluster.
func (s *script) keys(c *check) []string {
	key, client := c.key, "unknown"
	switch {
	case c.probe:
		client = "probe"
	case key.Client.IsValid():
		client = key.Client.String()
	}
	var b strings.Builder
	b.Grow(len(s.prefix) + len(client) + len(key.Name) + 16)
	b.WriteString(s.prefix)
	b.WriteByte('{')
	b.WriteString(client)
	b.WriteString("}:")
	base := b.Len()
	b.WriteString(key.Bucket.String())
	if key.Name == "" {
		return []string{b.String()}
	}
	pool := b.Len()
	b.WriteByte(':')
	b.WriteString(key.Name)
	named := b.String()
	return []string{named, named[:pool], named[:base] + "names"}
}

// run adds a check to a pipeline, with the whole script or its hash.
func (s *script) run(ctx context.Context, pipe redis.Scripter, c *check, whole bool) *redis.Cmd {
	keys, args := s.keys(c), make([]any, 2, 4)
	args[0], args[1] = c.limit, s.window
	if c.key.Name != "" {
		args = append(args, ratelimit.MaxNames, c.key.Name)
	}
	if whole {
		return s.Eval(ctx, pipe, keys, args...)
	}
	return s.EvalSha(ctx, pipe, keys, args...)
}

// missing reports whether a server does not know the script: it was restarted,
// or another one has taken its place.
func missing(err error) bool { return err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") }

// read reads the reply of the script.
func read(cmd *redis.Cmd) (verdict, error) {
	n, err := cmd.Int64Slice()
	if err != nil {
		return verdict{}, err
	}
	if len(n) != 4 {
		return verdict{}, fmt.Errorf("the script returned %d numbers, want 4", len(n))
	}
	return verdict{allowed: n[0] == 1, remaining: n[1], left: n[2], holds: n[3]}, nil
}
