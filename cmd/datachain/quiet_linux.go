package main

import (
	"net"

	"golang.org/x/sys/unix"
)

// ignoreNew makes the system ignore new connections to a port, while those that
// it is making still arrive. A port that is closed without that resets the
// connections that wait to be accepted, and with them requests that were sent
// already. Who is ignored tries again after a second, and is refused then.
func ignoreNew(l *net.TCPListener) error {
	// The filter sees TCP segments: it drops those that begin a connection,
	// which have SYN (2) among their flags, in the byte at 13.
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
