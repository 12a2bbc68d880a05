package httpapi

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"time"
)

// ListenerOptions configure a [Listener]. Nil and the zero value mean the defaults.
type ListenerOptions struct {
	// TLS encrypts connections; nil means plain text. A listener that the
	// [http.Server] encrypts itself, with ServeTLS, has no effect on its
	// responses. The default of NextProtos is HTTP/2 and HTTP/1.1.
	TLS *tls.Config
	// HeaderTimeout is the time that the headers of a request may take over
	// HTTP/2, which the ReadHeaderTimeout of the [http.Server] does not limit;
	// 0 means 5 seconds.
	HeaderTimeout time.Duration
	// Private leaves out the CORS headers; see [Options.Private].
	Private bool
	// Logger receives failed TLS handshakes; nil means [slog.Default].
	Logger *slog.Logger
}

// Listener returns a listener for an [http.Server] that serves the handler over
// HTTP/1.1 and HTTP/2, with or without TLS. Use it with Serve, allow
// [http.Protocols.UnencryptedHTTP2] even with TLS, and set [ConnContext].
//
// On its connections, clients always get an error that they can parse. A request
// that net/http cannot read, such as one for /%zz or one without a Host header,
// never reaches a handler: the server itself answers it, in plain text and without
// CORS headers. Here that response is an error like all others.
//
// It also closes connections whose HTTP/2 headers never end.
func Listener(l net.Listener, o *ListenerOptions) net.Listener {
	with := &listener{Listener: l}
	if o != nil {
		with.ListenerOptions = *o
	}
	with.HeaderTimeout = cmp.Or(with.HeaderTimeout, 5*time.Second)
	if with.Logger == nil {
		with.Logger = slog.Default()
	}
	if with.TLS != nil && len(with.TLS.NextProtos) == 0 {
		with.TLS = with.TLS.Clone()
		with.TLS.NextProtos = []string{"h2", "http/1.1"}
	}
	return with
}

type listener struct {
	net.Listener
	ListenerOptions
}

// Accept waits for the next connection.
func (l *listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, raw: accepted, from: l, frames: new(frames), reader: reader{conn: accepted}}
	if l.TLS != nil {
		c.secure = tls.Server(accepted, l.TLS)
		c.Conn = c.secure
	}
	return c, nil
}

// conn is a connection as net/http sees it: decrypted. It is not a [tls.Conn],
// whose text could not be followed.
type conn struct {
	net.Conn
	raw    net.Conn
	secure *tls.Conn // nil without TLS
	from   *listener
	reader reader

	// Only one goroutine reads at a time.
	state   *tls.ConnectionState // nil until the end of the handshake
	failed  bool                 // the handshake
	frames  *frames              // nil unless it may be HTTP/2
	waiting bool                 // for the end of the headers of a request
	late    *time.Timer          // runs while waiting; nil if it never waited
}

// Read begins with the handshake, and watches the headers of HTTP/2 requests.
func (c *conn) Read(b []byte) (int, error) {
	if c.secure != nil && c.state == nil && !c.failed {
		if err := c.handshake(); err != nil {
			return 0, err
		}
	}
	n, err := c.Conn.Read(b)
	if c.frames != nil {
		c.watch(b[:n])
	}
	return n, err
}

// handshake is limited by the read deadline of the server, like a header.
func (c *conn) handshake() error {
	err := c.secure.Handshake()
	if err == nil {
		state := c.secure.ConnectionState()
		c.state = &state
		return nil
	}
	c.failed = true
	if wrong, ok := errors.AsType[tls.RecordHeaderError](err); ok && wrong.Conn != nil && looksLikeHTTP(wrong.RecordHeader) {
		_, _ = wrong.Conn.Write(notHTTPS(c.from.Private)) // the client may have disconnected
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) { // a connection that was not used
		c.from.Logger.Warn("TLS handshake failed", "client", c.RemoteAddr().String(), "error", err)
	}
	return err
}

// watch closes the connection if the headers of a request have begun and do not
// end in time. Nothing else can arrive meanwhile.
func (c *conn) watch(b []byte) {
	unfinished, possible := c.frames.read(b)
	if !possible {
		c.frames = nil
		return
	}
	if unfinished == c.waiting {
		return
	}
	c.waiting = unfinished
	switch {
	case !unfinished:
		c.late.Stop()
	case c.late == nil:
		c.late = time.AfterFunc(c.from.HeaderTimeout, func() { _ = c.raw.Close() }) // it may be closed already
	default:
		c.late.Reset(c.from.HeaderTimeout)
	}
}

// Write replaces a refusal of the server itself.
func (c *conn) Write(b []byte) (int, error) {
	instead := refusalInstead(b, c.from.Private)
	if instead == nil {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(instead); err != nil {
		return 0, err
	}
	return len(b), nil
}

// CloseWrite lets the server close the connection after the client has read the
// response.
func (c *conn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

type connKey struct{}

// ConnContext is the ConnContext of an [http.Server] with a [Listener]: it lets
// the handlers of mounts know whether a request came over TLS, and the API close
// connections whose clients do not read.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if own, ok := c.(*conn); ok {
		return context.WithValue(ctx, connKey{}, own)
	}
	return ctx
}
