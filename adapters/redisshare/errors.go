package redisshare

import (
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"

	"github.com/redis/go-redis/v9"
)

// An ErrorKind says why Redis did not answer. It is a label in metrics.
type ErrorKind string

// The kinds of errors.
const (
	ErrorTimeout    ErrorKind = "timeout"    // it took longer than the budget
	ErrorConnection ErrorKind = "connection" // it is not reachable
	ErrorAuth       ErrorKind = "auth"       // NOAUTH, WRONGPASS or NOPERM
	ErrorConfig     ErrorKind = "config"     // CROSSSLOT: the address is that of a node of a cluster
	ErrorMemory     ErrorKind = "memory"     // OOM
	ErrorReadOnly   ErrorKind = "readonly"   // READONLY
	ErrorLoading    ErrorKind = "loading"    // LOADING, MASTERDOWN or CLUSTERDOWN
	ErrorKey        ErrorKind = "key"        // WRONGTYPE, or a value that can't be read: Redis is there
	ErrorOther      ErrorKind = "other"
)

// foreignKey is the advice for a key that has another type or content than expected.
const foreignKey = "something else writes to keys of this prefix: delete the key, or use another prefix"

// kinds are all kinds of errors, in the order in which they are counted.
func kinds() []ErrorKind {
	return []ErrorKind{ErrorTimeout, ErrorConnection, ErrorAuth, ErrorConfig, ErrorMemory, ErrorReadOnly, ErrorLoading, ErrorKey, ErrorOther}
}

// An Error is a failure of Redis, with what to do about it.
type Error struct {
	Kind ErrorKind
	Err  error
	// Advice is an instruction for the operator, or "".
	Advice string
}

// Error returns what failed and what to do.
func (e *Error) Error() string {
	if e.Advice == "" {
		return fmt.Sprintf("redisshare: %v", e.Err)
	}
	return fmt.Sprintf("redisshare: %v: %s", e.Err, e.Advice)
}

// Unwrap returns the error of the client.
func (e *Error) Unwrap() error { return e.Err }

// explain classifies an error of the client.
func explain(err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	kind, advice := classify(err)
	return &Error{Kind: kind, Err: err, Advice: advice}
}

func classify(err error) (kind ErrorKind, advice string) {
	timeout, isNet := errors.AsType[net.Error](err)
	switch {
	case redis.IsAuthError(err):
		return ErrorAuth, "check the user and the password in the address of Redis"
	case redis.IsPermissionError(err), isRedis(err) && scriptDenied.MatchString(err.Error()):
		return ErrorAuth, "allow the user what docs/operating.md lists: ACL SETUSER"
	case redis.HasErrorPrefix(err, "CROSSSLOT"):
		return ErrorConfig, "the server is a node of a cluster: use redis+cluster:// in the address of Redis"
	case redis.IsOOMError(err):
		return ErrorMemory, "raise maxmemory of Redis, or set maxmemory-policy to volatile-ttl"
	case redis.IsReadOnlyError(err):
		return ErrorReadOnly, "the server is a replica: use the address of the primary, or redis+sentinel:// to follow it"
	case redis.IsLoadingError(err):
		return ErrorLoading, "wait until Redis has loaded its data"
	case redis.IsMasterDownError(err), redis.IsClusterDownError(err), redis.IsTryAgainError(err):
		return ErrorLoading, "wait until the failover has ended"
	case redis.IsMaxClientsError(err):
		return ErrorConnection, "raise maxclients of Redis"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, redis.ErrPoolTimeout), isNet && timeout.Timeout():
		return ErrorTimeout, "check the load of Redis and the network to it"
	case isRedis(err) && strings.Contains(err.Error(), "WRONGTYPE"): // a script may put words before it
		return ErrorKey, foreignKey
	case isRedis(err):
		return ErrorOther, ""
	default:
		return ErrorConnection, "check that Redis runs, and the address and network to it"
	}
}

// hopeless reports whether only a change of the configuration helps.
func hopeless(err error) bool {
	if err == nil {
		return false
	}
	kind := explain(err).Kind
	return kind == ErrorAuth || kind == ErrorConfig
}

// scriptDenied matches what versions of Redis say if a script may not run a command.
var scriptDenied = regexp.MustCompile("executing the script can't run|ACL failure in script")

// isRedis reports whether an error is a reply of the server.
func isRedis(err error) bool {
	_, ok := errors.AsType[redis.Error](err)
	return ok
}
