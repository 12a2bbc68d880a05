//go:build !linux

package main

import (
	"errors"
	"net"
)

// ignoreNew can't be done here: a connection that waits to be accepted when the
// port is closed is reset.
func ignoreNew(*net.TCPListener) error { return errors.ErrUnsupported }
