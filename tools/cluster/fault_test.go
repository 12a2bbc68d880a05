package main

import (
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// counter counts bytes.
type counter struct{ n atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// echo is a server that returns what it gets, and counts it.
func echo(t *testing.T, got *counter) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, io.TeeReader(c, got)) }()
		}
	}()
	return l.Addr().String()
}

// ask sends a byte and returns whether it comes back in time.
func ask(c net.Conn, limit time.Duration) bool {
	_ = c.SetDeadline(time.Now().Add(limit))
	if _, err := c.Write([]byte{7}); err != nil {
		return false
	}
	_, err := io.ReadFull(c, make([]byte, 1))
	return err == nil
}

func dial(t *testing.T, p *proxy) net.Conn {
	c, err := net.Dial("tcp", p.address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestProxy(t *testing.T) {
	p, err := newProxy(echo(t, new(counter)), 30*time.Millisecond, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	c := dial(t, p)
	if !ask(c, time.Minute) {
		t.Fatal("a healthy proxy passes bytes")
	}
	p.set(slow)
	if begun := time.Now(); !ask(c, time.Minute) || time.Since(begun) < 60*time.Millisecond {
		t.Error("a slow proxy delays both directions")
	}
	p.set(silent)
	if ask(c, 50*time.Millisecond) {
		t.Error("a partition lets nothing pass")
	}
	p.set(healthy)
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
		t.Error("what waited passes after the partition:", err)
	}
	p.set(cut)
	if ask(c, time.Minute) || ask(dial(t, p), time.Minute) {
		t.Error("a cut proxy closes old and new connections")
	}
}

// TestLossyProxy shows that what is lost is the reply, not the request.
func TestLossyProxy(t *testing.T) {
	got := new(counter)
	p, err := newProxy(echo(t, got), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	p.set(lossy)
	sent, replied := 0, 0
	for ; p.losses() < 3; sent++ {
		if sent > 1000 {
			t.Fatal("no reply is lost")
		}
		if ask(dial(t, p), time.Minute) {
			replied++
		}
	}
	if got.n.Load() != int64(sent) || replied != sent-3 {
		t.Errorf("%d bytes were sent, %d arrived and %d replies", sent, got.n.Load(), replied)
	}
}
