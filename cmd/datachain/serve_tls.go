package main

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// certificateAge is how long a certificate is used before its files are looked
// at again.
const certificateAge = 10 * time.Second

// certificate is a certificate in files that may be renewed.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	stamps  [2]time.Time // when the files were changed last
	next    time.Time    // when to look again
}

// openCertificate reads a certificate, which must be a good one.
func openCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log}
	if err := c.load(); err != nil {
		return nil, err
	}
	return c, nil
}

// get returns the certificate as it is in the files, or the last good one.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().After(c.next) {
		if err := c.load(); err != nil {
			c.log.Error("the certificate can't be read; the last one is used", "error", err)
		}
	}
	return c.current, nil
}

// load reads the files if they have changed.
func (c *certificate) load() error {
	c.next = time.Now().Add(certificateAge)
	var stamps [2]time.Time
	for i, name := range []string{c.cert, c.key} {
		info, err := os.Stat(name)
		if err != nil {
			return fmt.Errorf("%s: %s", filepath.Base(name), reason(err))
		}
		stamps[i] = info.ModTime()
	}
	if c.current != nil && stamps == c.stamps {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	if c.current != nil {
		c.log.Info("the certificate was renewed", "not_after", pair.Leaf.NotAfter)
	}
	c.current, c.stamps = &pair, stamps
	return nil
}
