package server_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writeCertificate writes a self-signed certificate for 127.0.0.1.
func writeCertificate(t *testing.T, dir, name string) (cert, key string, parsed *x509.Certificate) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	parsed, err = x509.ParseCertificate(der)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	return cert, key, parsed
}

func protocol(t *testing.T, transport *http.Transport, url string) int {
	t.Helper()
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	res, err := (&http.Client{Transport: transport}).Do(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusOK, res.StatusCode)
	return res.ProtoMajor
}

func TestTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key, parsed := writeCertificate(t, dir, "first")
	s := start(t, samples(t), server.Options{CertFile: cert, KeyFile: key})
	require.Contains(t, s.URL, "https://")
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	trust := &tls.Config{RootCAs: pool}
	assert.Equal(t, 2, protocol(t, &http.Transport{TLSClientConfig: trust.Clone(), ForceAttemptHTTP2: true}, s.URL+"/api/v2/schemas"))
	old := &http.Transport{TLSClientConfig: trust.Clone(), Protocols: new(http.Protocols)}
	old.Protocols.SetHTTP1(true)
	assert.Equal(t, 1, protocol(t, old, s.URL+"/api/v2/schemas"))
	conn, err := tls.Dial("tcp", s.host(), &tls.Config{RootCAs: pool, MaxVersion: tls.VersionTLS11})
	if err == nil {
		_ = conn.Close()
	}
	assert.Error(t, err, "versions before TLS 1.2 are refused")
}

func TestHTTP2WithoutTLS(t *testing.T) {
	t.Parallel()
	s := start(t, samples(t), server.Options{})
	assert.Equal(t, 2, protocol(t, h2cTransport(), s.URL+"/api/v2/schemas"))
	assert.Equal(t, 1, protocol(t, new(http.Transport), s.URL+"/api/v2/schemas"))
}

// TestCertificateRenewed shows that a new certificate is used, and that a broken
// one is not.
func TestCertificateRenewed(t *testing.T) {
	dir := t.TempDir()
	cert, key, _ := writeCertificate(t, dir, "first")
	c, err := server.OpenCertificate(cert, key, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	name := func() string {
		c.CheckAt(time.Time{}) // as if time had passed
		got, err := c.Get(nil)
		require.NoError(t, err)
		return got.Leaf.Subject.CommonName
	}
	later := func(d time.Duration) {
		for _, file := range []string{cert, key} {
			require.NoError(t, os.Chtimes(file, time.Time{}, time.Now().Add(d)))
		}
	}
	require.Equal(t, "first", name())
	writeCertificate(t, dir, "second")
	later(time.Minute)
	require.Equal(t, "second", name())
	require.NoError(t, os.WriteFile(key, []byte("half of a k"), 0o600))
	later(2 * time.Minute)
	require.Equal(t, "second", name())
	require.NoError(t, os.Remove(cert))
	require.Equal(t, "second", name())
	writeCertificate(t, dir, "third")
	later(3 * time.Minute)
	require.Equal(t, "third", name())

	writeCertificate(t, dir, "fourth")
	later(4 * time.Minute)
	c.CheckAt(time.Now().Add(time.Hour))
	got, err := c.Get(nil)
	require.NoError(t, err)
	require.Equal(t, "third", got.Leaf.Subject.CommonName, "files are not read for each connection")
}
