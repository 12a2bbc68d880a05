package s3servers_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
)

const (
	bucket    = "releases"
	accessKey = "publisher"
	secretKey = "not-a-secret"
)

// server is where buckets are.
type server struct {
	url string
	// make creates the bucket, which is empty.
	make func(t testing.TB, name string)
}

// servers starts each server.
func servers(t *testing.T, test func(t *testing.T, s server)) {
	t.Helper()
	t.Parallel()
	t.Run("versitygw", func(t *testing.T) {
		t.Parallel()
		g := newGateway(t)
		g.start()
		test(t, server{g.url(), func(t testing.TB, name string) {
			t.Helper()
			require.NoError(t, os.Mkdir(filepath.Join(g.dir, name), 0o755))
		}})
	})
	t.Run("gofakes3", func(t *testing.T) {
		t.Parallel()
		backend := s3mem.New()
		listening := httptest.NewServer(gofakes3.New(backend).Server())
		t.Cleanup(listening.Close)
		test(t, server{listening.URL, func(t testing.TB, name string) {
			t.Helper()
			require.NoError(t, backend.CreateBucket(name))
		}})
	})
}

// gateway is a versitygw that can be killed and started again.
type gateway struct {
	t         *testing.T
	dir, addr string
	cmd       *exec.Cmd
}

// newGateway prepares a gateway. Its binary is a prerequisite: see the script run.
func newGateway(t *testing.T) *gateway {
	t.Helper()
	require.FileExists(t, os.Getenv("VERSITYGW"), "run the tests with 'make s3'")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := listener.Addr().String()
	require.NoError(t, listener.Close())
	return &gateway{t: t, dir: t.TempDir(), addr: addr}
}

func (g *gateway) url() string { return "http://" + g.addr }

// start starts the gateway and waits until it listens.
func (g *gateway) start() {
	g.t.Helper()
	g.cmd = exec.Command(os.Getenv("VERSITYGW"), "--port", g.addr, "posix", g.dir)
	g.cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+accessKey, "ROOT_SECRET_KEY="+secretKey)
	require.NoError(g.t, g.cmd.Start())
	g.t.Cleanup(g.kill)
	require.Eventually(g.t, func() bool {
		conn, err := net.DialTimeout("tcp", g.addr, time.Second)
		return err == nil && conn.Close() == nil
	}, 30*time.Second, 20*time.Millisecond)
}

// kill ends the gateway without a warning.
func (g *gateway) kill() {
	if g.cmd.Process.Kill() == nil {
		var exit *exec.ExitError
		if err := g.cmd.Wait(); err != nil && !errors.As(err, &exit) {
			g.t.Error(err)
		}
	}
}

// access returns how to reach a server, through a transport of ours if it is not nil.
func access(url string, transport http.RoundTripper) s3bucket.Access {
	if transport == nil {
		transport = &http.Transport{MaxIdleConnsPerHost: 16}
	}
	return s3bucket.Access{Endpoint: url, Config: &aws.Config{
		Region: "us-east-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: secretKey}, nil
		}),
		HTTPClient: &http.Client{Transport: transport},
	}}
}
