package redisshare

import (
	_ "embed"
	"fmt"

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

// appendKeys appends the keys of a check, all in one slot of a cluster.
func (s *script) appendKeys(list []any, c *check) []any {
	var space [128]byte // enough for most keys
	b := append(space[:0], s.prefix...)
	b = append(b, '{')
	switch {
	case c.probe != "":
		b = append(b, c.probe...)
	case c.key.Client.IsValid():
		b = c.key.Client.AppendTo(b)
	default:
		b = append(b, "unknown"...)
	}
	b = append(b, "}:"...)
	base := len(b)
	b = append(b, c.key.Bucket.String()...)
	if c.key.Name == "" {
		return append(list, string(b))
	}
	pool := len(b)
	b = append(b, ':')
	named := string(append(b, c.key.Name...))
	return append(list, named, named[:pool], named[:base]+"names")
}

// command returns a command that runs checks, with the whole script or its hash.
func (s *script) command(checks []*check, whole bool) []any {
	args := make([]any, 3, 5+5*len(checks))
	args[0], args[1] = "evalsha", s.Hash()
	if whole {
		args[0], args[1] = "eval", windowScript
	}
	for _, c := range checks {
		args = s.appendKeys(args, c)
	}
	args[2] = len(args) - 3
	args = append(args, s.window, ratelimit.MaxNames)
	for _, c := range checks {
		args = append(args, c.limit, c.key.Name)
	}
	return args
}

// missing reports whether a server does not know the script: it was restarted,
// or another one has taken its place.
func missing(err error) bool { return err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") }

// read reads the reply of the script to checks.
func read(cmd *redis.Cmd, checks []*check) {
	replies, err := cmd.Slice()
	if err == nil && len(replies) != len(checks) {
		err = fmt.Errorf("the script returned %d replies, want %d", len(replies), len(checks))
	}
	for i, c := range checks {
		if c.err = err; err == nil {
			c.verdict, c.err = decode(replies[i])
		}
	}
}

// decode reads the reply to one check.
func decode(reply any) (verdict, error) {
	switch r := reply.(type) {
	case error:
		return verdict{}, r
	case string:
		if len(r) == 9 {
			number := func(from, to int) (n int64) {
				for _, b := range []byte(r[from:to]) {
					n = n<<8 | int64(b)
				}
				return n
			}
			return verdict{allowed: r[0] == 1, remaining: number(1, 3), left: number(3, 5), holds: int64(int32(number(5, 9)))}, nil
		}
	}
	return verdict{}, fmt.Errorf("the script returned %q, want 9 bytes", reply)
}
