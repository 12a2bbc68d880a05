//go:build !linux

package server

import (
	"errors"
	"net"
)

// ignoreNew is not supported here: connections that wait to be accepted when the
// port is closed are reset.
func ignoreNew(*net.TCPListener) error { return errors.ErrUnsupported }
