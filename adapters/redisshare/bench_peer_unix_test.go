//go:build unix

package redisshare_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/enginetest"
)

// BenchmarkPeer runs the script of a check without the limiter: with the Redis client,
// which takes a connection from its pool each time, with a connection of the client that
// is held, and with a socket and commands that were written in advance. The last one is
// what a round trip costs whoever makes it: two system calls, and being woken up.
func BenchmarkPeer(b *testing.B) {
	server := enginetest.StartRedis(b)
	c := control(b, server)
	text, err := os.ReadFile("window.lua")
	require.NoError(b, err)
	ctx := context.Background()
	sha, err := c.ScriptLoad(ctx, string(text)).Result()
	require.NoError(b, err)
	o, err := redis.ParseURL(server.Address)
	require.NoError(b, err)
	peer := redis.NewClient(o)
	held := peer.Conn()
	b.Cleanup(func() { require.NoError(b, errors.Join(held.Close(), peer.Close())) })
	keys := make([]string, benchClients)
	for i := range keys {
		keys[i] = "datachain:1:{" + client(i).String() + "}:icons"
	}
	eval := func(on redis.Scripter) func(int) error {
		return func(i int) error { return on.EvalSha(ctx, sha, keys[i:i+1], 60, 32, 65535, "").Err() }
	}
	for _, bench := range []struct {
		name string
		do   func(i int) error
	}{
		{"client", eval(peer)},
		{"client, connection held", eval(held)},
		{"socket", socket(b, o, sha, keys)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			fillWindows(b, c)
			measure(b, c, func() {
				b.ReportAllocs()
				for i := range b.N {
					require.NoError(b, bench.do(i*7919%benchClients))
				}
			})
		})
	}
}

// socket returns a function that sends a command and reads the reply.
func socket(b *testing.B, o *redis.Options, sha string, keys []string) func(i int) error {
	b.Helper()
	conn, err := new(net.Dialer).DialContext(context.Background(), o.Network, o.Addr)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, conn.Close()) })
	commands := make([]string, len(keys))
	for i, key := range keys {
		var s strings.Builder
		args := []string{"evalsha", sha, "1", key, "60", "32", "65535", ""}
		fmt.Fprintf(&s, "*%d\r\n", len(args))
		for _, a := range args {
			fmt.Fprintf(&s, "$%d\r\n%s\r\n", len(a), a)
		}
		commands[i] = s.String()
	}
	r, reply := bufio.NewReader(conn), make([]byte, len("*1\r\n$9\r\n123456789\r\n"))
	return func(i int) error {
		if _, err := io.WriteString(conn, commands[i]); err != nil {
			return err
		}
		_, err := io.ReadFull(r, reply)
		return err
	}
}
