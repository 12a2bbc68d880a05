//go:build unix

package redisshare_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/adapters/redisshare/redistest"
)

// TestUser uses a user with no more than the documented permissions.
func TestUser(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedisTCP(t)
	c := control(t, server)
	require.NoError(t, c.Do(t.Context(), "ACL", "SETUSER", "datachain", "on", ">p@ss/word", "resetkeys", "~datachain:*", "resetchannels", "-@all",
		"+evalsha", "+eval", "+time", "+get", "+set", "+del", "+zscore", "+zadd", "+zcard", "+zremrangebyscore", "+expire").Err())
	require.NoError(t, c.Do(t.Context(), "ACL", "SETUSER", "default", "off").Err())
	s := open(t, "redis://datachain:p%40ss%2Fword@"+server.Host()+"/0", redisshare.Patient(redisshare.Options{Limits: limits}, 0))
	exact(t, 1, s)
	for range 2 * ratelimit.MaxNames {
		allow(t, s, ratelimit.NewKey(ratelimit.Validate, client(1), rand.Text()))
	}
	require.NoError(t, s.Put(t.Context(), "a", []byte("page")))
	page, _, err := s.Get(t.Context(), "a")
	require.NoError(t, err)
	assert.Equal(t, "page", string(page))
	require.NoError(t, s.Put(t.Context(), "a", make([]byte, 5<<20)))
	assert.Empty(t, s.Stats().Errors["auth"])
}

// TestTLS connects to a server with a certificate of a private authority.
func TestTLS(t *testing.T) {
	t.Parallel()
	cert, key, roots := certificate(t)
	port := redistest.FreePort(t)
	redistest.StartRedisTCP(t, "--tls-port", port, "--tls-cert-file", cert, "--tls-key-file", key, "--tls-auth-clients", "no")
	address := "rediss://127.0.0.1:" + port
	s := open(t, address, redisshare.Patient(redisshare.Options{Limits: limits, TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}, 0))
	exact(t, 1, s)

	untrusting, err := redisshare.Open(address, redisshare.Patient(redisshare.Options{}, 0))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, untrusting.Close()) })
	waitError(t, untrusting, "certificate")
}

// certificate writes a self-signed certificate for the loopback address.
func certificate(t *testing.T) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	roots = x509.NewCertPool()
	roots.AddCert(parsed)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	return cert, key, roots
}

// TestFailover follows the primary that a sentinel names.
func TestFailover(t *testing.T) {
	t.Parallel()
	redistest.Long(t)
	primary := redistest.StartRedisTCP(t)
	replica := redistest.StartRedisTCP(t, "--replicaof", "127.0.0.1 "+primary.Port(), "--repl-diskless-sync-delay", "0")
	wait(t, "the replica is connected", func() bool {
		role, err := control(t, replica).Do(t.Context(), "ROLE").Slice()
		return err == nil && len(role) > 3 && role[3] == "connected"
	})
	sentinel := redistest.StartSentinel(t, fmt.Sprintf("sentinel monitor main 127.0.0.1 %s 1\nsentinel failover-timeout main 5000", primary.Port()))
	watch := redis.NewSentinelClient(&redis.Options{Addr: sentinel.Host()})
	t.Cleanup(func() { require.NoError(t, watch.Close()) })
	wait(t, "the sentinel knows the replica", func() bool {
		found, err := watch.Replicas(t.Context(), "main").Result()
		return err == nil && len(found) == 1 && found[0]["flags"] == "slave" && found[0]["master-link-status"] == "ok"
	})
	s := open(t, "redis+sentinel://"+sentinel.Host()+"?master_name=main", redisshare.Tolerant(redisshare.Options{Limits: limits}))
	exact(t, 100, s)
	// The sentinel may not have heard enough of the replica yet.
	wait(t, "the failover begins", func() bool { return watch.Failover(t.Context(), "main").Err() == nil })
	wait(t, "the replica is the primary", func() bool {
		addr, err := watch.GetMasterAddrByName(t.Context(), "main").Result()
		return err == nil && addr[1] == replica.Port()
	})
	primary.Kill(t)
	wait(t, "the new primary decides", func() bool {
		before := s.Stats().Redis
		allow(t, s, ratelimit.NewKey(ratelimit.Icons, client(1), ""))
		return s.Stats().Redis > before && s.Err() == nil
	})
	exact(t, 200, s)
}

// TestCluster uses a cluster of one node.
func TestCluster(t *testing.T) {
	t.Parallel()
	redistest.Long(t)
	node := redistest.StartRedisTCP(t, "--cluster-enabled", "yes", "--cluster-port", redistest.FreePort(t))
	c := control(t, node)
	require.NoError(t, c.ClusterAddSlotsRange(t.Context(), 0, 16383).Err())
	wait(t, "the cluster is up", func() bool { return c.Set(t.Context(), "a", "b", time.Second).Err() == nil })
	shares := three(t, "redis+cluster://"+node.Host(), redisshare.Patient(redisshare.Options{Limits: limits}, 0))
	exact(t, 1, shares...)
	for i := range 40 { // with a name there are three keys
		allow(t, shares[i%3], ratelimit.NewKey(ratelimit.Read, client(i), "name"))
	}
	// A page that Redis does not take in time stays in memory, so try again.
	wait(t, "the page is found on another server", func() bool {
		require.NoError(t, shares[0].Put(t.Context(), "a", []byte("page")))
		page, _, err := shares[1].Get(t.Context(), "a")
		require.NoError(t, err)
		return string(page) == "page"
	})
	assert.Zero(t, shares[0].Stats().Local)
}
