package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// certificateAge is how often the files of a certificate are checked.
const certificateAge = 10 * time.Second

// certificate is a certificate in files that may be renewed.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	stamps  [2]time.Time // modification times of the files
	next    time.Time    // when to check them
}

// openCertificate reads a certificate, and fails if it is not usable.
func openCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log}
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	return c, nil
}

// get returns the certificate in the files, or the last good one.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().After(c.next) {
		if err := c.load(); err != nil {
			c.log.Error("reading the certificate failed, using the last one", "error", err)
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
			return fmt.Errorf("%s: %w", filepath.Base(name), errors.Unwrap(err))
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
		c.log.Info("certificate renewed", "not_after", pair.Leaf.NotAfter)
	}
	c.current, c.stamps = &pair, stamps
	return nil
}
