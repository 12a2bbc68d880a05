package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// load is a number of connections, each of which sends the next request when it has
// the response to the last.
type load struct {
	wrk         string // the program, or "" for the goroutines here
	dir         string // for scripts of wrk
	connections int
	each        time.Duration
}

// name returns the name of the load generator.
func (l *load) name() string {
	if l.wrk == "" {
		return "goroutines"
	}
	return "wrk"
}

// run sends the requests of a case and returns how many were answered. The first one
// has the given number: a new search has its words from it.
func (l *load) run(ctx context.Context, t *traffic, first int) (int, error) {
	if l.wrk != "" {
		return l.runWrk(ctx, t, first)
	}
	return l.runHere(ctx, t, first)
}

// traffic are the requests of a case to one server, as they are sent.
type traffic struct {
	host   string
	status int
	// A request has the words of a new search, if there are any, after the
	// first part, and the number of its client after the second one.
	parts [3]string
	words []string
}

func newTraffic(c *testCase, url string) *traffic {
	host, prefix, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	if prefix != "" {
		prefix = "/" + prefix
	}
	t := &traffic{host: host, status: c.Status, words: c.words}
	path, rest := c.Path, ""
	if c.words != nil {
		path, rest, _ = strings.Cut(c.Path, "%s")
	}
	t.parts[0] = c.Method + " " + prefix + path
	t.parts[1] = rest + " HTTP/1.1\r\nHost: " + host + "\r\n" + strings.Join(c.fields(), "\r\n") + "\r\nX-Forwarded-For: 10.0.0."
	t.parts[2] = "\r\n\r\n"
	if c.Body != nil {
		t.parts[2] = "\r\nContent-Length: " + strconv.Itoa(len(c.Body)) + "\r\n\r\n" + string(c.Body)
	}
	return t
}

// append appends the request with a number.
func (t *traffic) append(b []byte, n int) []byte {
	b = append(b, t.parts[0]...)
	if k := len(t.words); k > 0 {
		// All pairs of words occur before one occurs again.
		b = append(append(append(b, t.words[n%k]...), '+'), t.words[(n%k*7+n/k)%k]...)
	}
	b = strconv.AppendInt(append(b, t.parts[1]...), int64(n%clients), 10)
	return append(b, t.parts[2]...)
}

// script is append, for wrk.
func (t *traffic) script(first int) string {
	words := make([]string, len(t.words))
	for i, w := range t.words {
		words[i] = lua(w)
	}
	return fmt.Sprintf(`local n, k, words = %d, %d, {%s}
local head, middle, tail = %s, %s, %s
function request()
	local query = ""
	if k > 0 then
		query = words[n %% k + 1] .. "+" .. words[(n %% k * 7 + math.floor(n / k)) %% k + 1]
	end
	local text = head .. query .. middle .. n %% %d .. tail
	n = n + 1
	return text
end
`, first, len(words), strings.Join(words, ","), lua(t.parts[0]), lua(t.parts[1]), lua(t.parts[2]), clients)
}

// lua quotes a text for Lua.
func lua(text string) string {
	b := []byte{'"'}
	for _, c := range []byte(text) {
		if c < ' ' || c == '"' || c == '\\' || c >= 0x7F {
			b = fmt.Appendf(b, `\%03d`, c)
		} else {
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

var wrkTotal = regexp.MustCompile(`(\d+) requests in `)

// runWrk uses one thread, so that there is one sequence of numbers.
func (l *load) runWrk(ctx context.Context, t *traffic, first int) (int, error) {
	file := filepath.Join(l.dir, "load.lua")
	if err := os.WriteFile(file, []byte(t.script(first)), 0o600); err != nil {
		return 0, err
	}
	seconds := strconv.Itoa(int(l.each.Seconds())) + "s"
	out, err := exec.CommandContext(ctx, l.wrk, "-t", "1", "-c", strconv.Itoa(l.connections), "-d", seconds, "-s", file, "http://"+t.host).CombinedOutput()
	found := wrkTotal.FindSubmatch(out)
	if err != nil || found == nil || bytes.Contains(out, []byte("Non-2xx")) || bytes.Contains(out, []byte("Socket errors")) {
		return 0, fmt.Errorf("wrk on %s: %w\n%s", t.parts[0], errors.Join(err, errors.New("not every request was answered")), out)
	}
	return strconv.Atoi(string(found[1]))
}

func (l *load) runHere(ctx context.Context, t *traffic, first int) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, l.each)
	defer cancel()
	var next atomic.Int64
	next.Store(int64(first))
	var group sync.WaitGroup
	failures := make(chan error, l.connections)
	for range l.connections {
		group.Go(func() {
			if err := t.repeat(ctx, &next); err != nil {
				failures <- err
			}
		})
	}
	group.Wait()
	select {
	case err := <-failures:
		return 0, err
	default:
		return int(next.Load()) - first, nil
	}
}

// repeat sends requests on one connection.
func (t *traffic) repeat(ctx context.Context, next *atomic.Int64) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", t.host)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // nothing is under way
	r := bufio.NewReaderSize(conn, 64<<10)
	var b []byte
	for ctx.Err() == nil {
		b = t.append(b[:0], int(next.Add(1)-1))
		if _, err := conn.Write(b); err != nil {
			return err
		}
		status, err := skipResponse(r)
		if err != nil {
			return err
		}
		if status != t.status {
			return fmt.Errorf("%s is answered with status %d instead of %d", t.parts[0], status, t.status)
		}
	}
	return nil
}

// skipResponse reads a response to its end. It does less than [http.ReadResponse], which
// would take CPU time from the server.
func skipResponse(r *bufio.Reader) (status int, err error) {
	length, chunked := int64(0), false
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(": "))
		switch {
		case first && len(line) > len("HTTP/1.1 200"):
			status, err = strconv.Atoi(string(line[len("HTTP/1.1 "):][:3]))
		case string(name) == "Content-Length":
			length, err = strconv.ParseInt(string(value), 10, 64)
		case string(name) == "Transfer-Encoding":
			chunked = true
		}
		if err != nil {
			return 0, err
		}
		if len(name) == 0 {
			break
		}
	}
	if !chunked {
		_, err = io.CopyN(io.Discard, r, length)
		return status, err
	}
	if _, err = io.Copy(io.Discard, httputil.NewChunkedReader(r)); err == nil {
		_, err = r.Discard(len("\r\n"))
	}
	return status, err
}
