// Command httpspeed measures the CPU time that the server takes for a request, over REST
// and MCP, and writes its section of docs/internals/measurements.md. Run it with
// "make bench-http" in the root, or here for some requests, in less time, and beside another build:
//
//	go run ./httpspeed -only validate,mcp -rounds 2
//	go run ./httpspeed -only search -beside /tmp/old/datachain
//	go run ./httpspeed -only register -documents /srv/documents
//
// The server is the datachain command as operators run it, with a store in a directory.
// Beside it runs a bare net/http handler that reads the same bodies and sends the same bytes; MCP calls are compared
// with an empty tool of the MCP SDK. Each server is a process, whose CPU time does not
// include that of the load generator: wrk if it is installed, else this program.
package main
