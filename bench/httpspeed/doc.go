// Command httpspeed compares the REST server with a bare net/http handler and with
// nginx, which all send the same bytes, and writes the page docs/http-speed.md.
// Everything runs on this machine, over loopback. Run it with "make bench-http" in
// the root.
//
// Each server is a separate process, so that its CPU time can be measured; this
// program starts itself for ours and for the bare one. The load comes from wrk if
// it is installed, and else from a few goroutines.
package main
