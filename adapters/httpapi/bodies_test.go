package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
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
	require.NoError(t, err, "the answer comes though the body was not read")
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

// raw sends text over a connection of its own and returns the answer, with the
// connection still open.
func (w *world) raw(text string) (*http.Response, net.Conn) {
	w.t.Helper()
	conn, err := new(net.Dialer).DialContext(w.t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(w.t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = io.WriteString(conn, text)
	require.NoError(w.t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(w.t, err, "there must be an answer")
	return res, conn
}

func head(method, path string, fields ...string) string {
	return method + " " + api + path + " HTTP/1.1\r\nHost: x\r\n" + strings.Join(append(fields, "", ""), "\r\n")
}

// TestSlowBodies: whoever sends a body slowly, or never, gets an answer and does
// not hold the connection, whether the body is of interest or not.
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

// TestTooLargeIsSaidAtOnce: nobody waits for a rest that is not read anyway.
func TestTooLargeIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{WorkTimeout: time.Hour})
	res, conn := w.raw(head("POST", "/schemas/"+oddStable+"/validate", "Content-Length: 1048600") + strings.Repeat(" ", 1<<20+1))
	require.Equal(t, 413, res.StatusCode)
	require.True(t, res.Close, "the connection is of no use any more")
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

// TestKeepAlive: a body that was read in time leaves no deadline behind.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{WorkTimeout: 3 * time.Second})
	doc := oddDocument(oddStable)
	text := head("POST", "/schemas/"+oddStable+"/validate", fmt.Sprintf("Content-Length: %d", len(doc))) + doc
	res, conn := w.raw(text)
	require.Equal(t, 200, res.StatusCode)
	time.Sleep(3200 * time.Millisecond)
	_, err := io.WriteString(conn, text)
	require.NoError(t, err)
	res, err = http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
}
