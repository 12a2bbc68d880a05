// Command httpspeed measures the REST server beside a bare net/http handler and
// beside nginx, which all send the same bytes, and writes the page
// docs/http-speed.md. Everything happens on this machine, over loopback. Run it
// with "make bench-http" in the root.
//
// Each server is a process of its own, so that its processor time can be told;
// this program starts itself again for ours and the bare one. Load comes from wrk
// where that is installed, and else from a few goroutines here.
package main
