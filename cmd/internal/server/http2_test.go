package server_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"testing"
	"time"

	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// rawHTTP2 is an HTTP/2 client that sends what a test wants, and reads only what
// a test asks for.
type rawHTTP2 struct {
	t      *testing.T
	conn   net.Conn
	framer *http2.Framer
	block  bytes.Buffer
	hpack  *hpack.Encoder
	next   uint32 // the id of the next stream
	from   string // the address that a proxy would name, if any
}

// secured are options with TLS, and the configuration of clients that trust it.
func secured(t *testing.T, o server.Options) (server.Options, *tls.Config) {
	t.Helper()
	var parsed *x509.Certificate
	o.CertFile, o.KeyFile, parsed = writeCertificate(t, t.TempDir(), "server")
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return o, &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// dialHTTP2 connects, over TLS if trust is not nil, and sends settings.
func (s *running) dialHTTP2(trust *tls.Config, settings ...http2.Setting) *rawHTTP2 {
	s.t.Helper()
	var conn net.Conn
	var err error
	if trust != nil {
		trust = trust.Clone()
		trust.NextProtos = []string{"h2"}
		conn, err = tls.Dial("tcp", s.host(), trust)
	} else {
		conn, err = net.Dial("tcp", s.host())
	}
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(s.t, conn.SetDeadline(time.Now().Add(2*time.Minute)))
	c := &rawHTTP2{t: s.t, conn: conn, framer: http2.NewFramer(conn, conn), next: 1}
	c.hpack = hpack.NewEncoder(&c.block)
	c.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	_, err = io.WriteString(conn, http2.ClientPreface)
	require.NoError(s.t, err)
	require.NoError(s.t, c.framer.WriteSettings(settings...))
	return c
}

// notReading is the setting of a client that lets the server send no bodies.
func notReading() http2.Setting { return http2.Setting{ID: http2.SettingInitialWindowSize} }

// fields encodes the header fields of a request.
func (c *rawHTTP2) fields(method, path string) []byte {
	c.t.Helper()
	c.block.Reset()
	fields := []hpack.HeaderField{{Name: ":method", Value: method}, {Name: ":scheme", Value: "http"}, {Name: ":authority", Value: "x"}, {Name: ":path", Value: path}}
	if c.from != "" {
		fields = append(fields, hpack.HeaderField{Name: "x-forwarded-for", Value: c.from})
	}
	for _, f := range fields {
		require.NoError(c.t, c.hpack.WriteField(f))
	}
	return c.block.Bytes()
}

// ask begins a request, and ends it unless a body is to follow.
func (c *rawHTTP2) ask(method, path string, end bool) {
	c.t.Helper()
	require.NoError(c.t, c.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: c.next, BlockFragment: c.fields(method, path), EndHeaders: true, EndStream: end}))
	c.next += 2
}

// statuses reads until the headers of n responses have arrived, and counts their
// status codes.
func (c *rawHTTP2) statuses(n int) map[string]int {
	c.t.Helper()
	counts := map[string]int{}
	for n > 0 {
		frame, err := c.framer.ReadFrame()
		require.NoError(c.t, err, "%v", counts)
		if headers, ok := frame.(*http2.MetaHeadersFrame); ok {
			counts[headers.PseudoValue("status")]++
			n--
		}
	}
	return counts
}
