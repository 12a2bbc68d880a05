package server

import (
	"net"

	"golang.org/x/sys/unix"
)

// ignoreNew makes the kernel ignore new connections to a port, while those that
// are being established still arrive. Closing a port resets the connections that
// wait to be accepted, and with them requests that were already sent. A client
// that is ignored tries again after a second, and is refused then.
func ignoreNew(l *net.TCPListener) error {
	// The filter sees TCP segments. It drops those with the flag SYN (2) in
	// the byte at 13.
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 13},
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: 2, Jt: 0, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: 1 << 18},
	}
	raw, err := l.SyscallConn()
	if err != nil {
		return err
	}
	filter := &unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	controlErr := raw.Control(func(fd uintptr) {
		err = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, filter)
	})
	if controlErr != nil {
		return controlErr
	}
	return err
}
