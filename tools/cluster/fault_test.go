package main

import (
	"io"
	"net"
	"testing"
	"time"
)

// echo is a server that returns what it gets.
func echo(t *testing.T) string {
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
			go func() { _, _ = io.Copy(c, c) }()
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
	p, err := newProxy(echo(t), 30*time.Millisecond)
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
