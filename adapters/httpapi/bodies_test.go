package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
)

// chunked is a body of unknown length.
type chunked struct{ io.Reader }

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	for _, most := range []int64{0, 4000} {
		w := open(t, odd(t), &httpapi.Options{MaxBody: most})
		if most == 0 {
			most = 1 << 20
		}
		exact := oddDocument(oddStable) + strings.Repeat(" ", int(most)-len(oddDocument(oddStable)))
		for _, operation := range []string{"validate", "resolve"} {
			at := "/schemas/" + oddStable + "/" + operation
			for _, body := range []string{exact, exact + " "} {
				for _, r := range []io.Reader{strings.NewReader(body), chunked{strings.NewReader(body)}} {
					a := w.do(request{method: "POST", path: at, body: r, wrong: true})
					if len(body) == int(most) {
						require.Equal(t, 200, a.StatusCode, a.text)
						require.Empty(t, a.codes())
						continue
					}
					issue := a.issue(t, 413, "payload_too_large")
					require.Contains(t, issue["message"], fmt.Sprint(most))
				}
			}
		}
	}
}

func TestHugeBody(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	endless := io.LimitReader(spaces{}, 64<<20)
	a, err := w.try(request{method: "POST", path: "/schemas/" + oddStable + "/validate", body: chunked{endless}, wrong: true})
	require.NoError(t, err, "the response comes though the body was not read")
	a.issue(t, 413, "payload_too_large")
	require.Equal(t, 200, w.get("/schemas").StatusCode)
}

type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// raw sends text over a new connection and returns the response, with the
// connection still open.
func (w *world) raw(text string) (*http.Response, net.Conn) {
	w.t.Helper()
	conn, err := new(net.Dialer).DialContext(w.t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(w.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, text)
	require.NoError(w.t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(w.t, err, "there must be a response")
	return res, conn
}

func head(method, path string, fields ...string) string {
	return method + " " + api + path + " HTTP/1.1\r\nHost: x\r\n" + strings.Join(append(fields, "", ""), "\r\n")
}

// TestSlowBodies shows that a client that sends a body slowly, or never, gets a
// response and loses its connection, whether the body is read or not.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{WorkTimeout: time.Second})
	at := "/schemas/" + oddStable + "/validate"
	for _, tt := range []struct {
		name, text string
		status     int
	}{
		{"stalls", head("POST", at, "Content-Length: 500") + `{"id":`, 504},
		{"stalls chunked", head("POST", at, "Transfer-Encoding: chunked") + "5\r\n{\"id\"\r\n", 504},
		{"lies about its length", head("POST", at, "Content-Length: 999999999"), 413},
		{"is not of interest", head("POST", "/schemas/nope@latest/validate", "Content-Length: 500") + `{`, 404},
		{"belongs to a GET", head("GET", "/schemas", "Content-Length: 500") + `{`, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, conn := w.in(t).raw(tt.text)
			require.Equal(t, tt.status, res.StatusCode)
			if tt.status == 504 {
				text, err := io.ReadAll(res.Body)
				require.NoError(t, err)
				require.Contains(t, string(text), `"code":"timeout"`)
			}
			_, err := io.Copy(io.Discard, conn)
			require.NoError(t, err, "the server closes the connection")
		})
	}
}

// TestTooLargeIsSaidAtOnce shows that a client is refused before it has sent the
// whole body.
func TestTooLargeIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{WorkTimeout: time.Hour})
	res, conn := w.raw(head("POST", "/schemas/"+oddStable+"/validate", "Content-Length: 1048600") + strings.Repeat(" ", 1<<20+1))
	require.Equal(t, 413, res.StatusCode)
	require.True(t, res.Close, "the connection cannot be reused")
	require.NoError(t, conn.Close())
}

func TestBodyThatIsCut(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, head("POST", "/schemas/"+oddStable+"/validate", "Content-Length: 500")+`{"id":`)
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.Equal(t, 400, res.StatusCode)
}

// deadlines is a response that notes read deadlines.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

// TestKeepAlive shows that a body that was read in time leaves no read deadline for
// the next request on the connection.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	h := handler(t, &httpapi.Options{WorkTimeout: time.Minute})
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, api+"/schemas/"+oddStable+"/validate", strings.NewReader(oddDocument(oddStable))))
	require.Equal(t, 200, w.Code)
	require.Len(t, w.set, 2)
	require.False(t, w.set[0].IsZero())
	require.True(t, w.set[1].IsZero())
}
