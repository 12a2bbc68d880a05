// Command datachain-cloud has the commands of datachain, and opens what servers need of a cloud:
// stores in buckets of S3-compatible storage (--store s3://bucket/prefix), and Redis, through which
// several servers share rate limits and MCP sessions (--shared redis://host). The clients of both are
// why it is a program of its own: it takes half as long again to compile as datachain.
package main

import (
	"os"

	"github.com/datachain-go/datachain/cmd/internal/cloud"
	"github.com/datachain-go/datachain/cmd/internal/command"
)

func main() {
	os.Exit(command.Main(command.Program{Name: "datachain-cloud", Buckets: cloud.Buckets{}, Redis: cloud.Redis{}}))
}
