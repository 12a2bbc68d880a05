package server

import (
	"crypto/tls"
	"time"
)

// OpenCertificate reads a certificate.
var OpenCertificate = openCertificate

// Get returns the certificate for a connection.
func (c *certificate) Get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) { return c.get(hello) }

// CheckAt sets when the files are checked next.
func (c *certificate) CheckAt(t time.Time) { c.next = t }

// ListenTCP opens a port.
var ListenTCP = listenTCP
