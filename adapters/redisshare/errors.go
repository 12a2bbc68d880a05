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

// The kinds of errors say why Redis did not answer. They are labels in metrics.
const (
	errorTimeout    = "timeout"    // it took longer than the budget
	errorConnection = "connection" // it is not reachable
	errorAuth       = "auth"       // NOAUTH, WRONGPASS or NOPERM
	errorConfig     = "config"     // CROSSSLOT: the address is that of a node of a cluster
	errorMemory     = "memory"     // OOM
	errorReadOnly   = "readonly"   // READONLY
	errorLoading    = "loading"    // LOADING, MASTERDOWN or CLUSTERDOWN
	errorKey        = "key"        // WRONGTYPE, or a value that can't be read: Redis is there
	errorOther      = "other"
)

// foreignKey is the advice for a key that has another type or content than expected.
const foreignKey = "something else writes to keys of this prefix: delete the key, or use another prefix"

// kinds are all kinds of errors, in the order in which they are counted.
func kinds() []string {
	return []string{errorTimeout, errorConnection, errorAuth, errorConfig, errorMemory, errorReadOnly, errorLoading, errorKey, errorOther}
}

// An Error is a failure of Redis, with what to do about it.
type Error struct {
	// Kind says why Redis did not answer: timeout, connection, auth, config, memory,
	// readonly, loading, key (the content of a key is not what was expected) or other.
	Kind string
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

func classify(err error) (kind string, advice string) {
	timeout, isNet := errors.AsType[net.Error](err)
	switch {
	case redis.IsAuthError(err):
		return errorAuth, "check the user and the password in the address of Redis"
	case redis.IsPermissionError(err), isRedis(err) && scriptDenied.MatchString(err.Error()):
		return errorAuth, "allow the user what docs/operating.md lists: ACL SETUSER"
	case redis.HasErrorPrefix(err, "CROSSSLOT"):
		return errorConfig, "the server is a node of a cluster: use redis+cluster:// in the address of Redis"
	case redis.IsOOMError(err):
		return errorMemory, "raise maxmemory of Redis, or set maxmemory-policy to volatile-ttl"
	case redis.IsReadOnlyError(err):
		return errorReadOnly, "the server is a replica: use the address of the primary, or redis+sentinel:// to follow it"
	case redis.IsLoadingError(err):
		return errorLoading, "wait until Redis has loaded its data"
	case redis.IsMasterDownError(err), redis.IsClusterDownError(err), redis.IsTryAgainError(err):
		return errorLoading, "wait until the failover has ended"
	case redis.IsMaxClientsError(err):
		return errorConnection, "raise maxclients of Redis"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, redis.ErrPoolTimeout), isNet && timeout.Timeout():
		return errorTimeout, "check the load of Redis and the network to it"
	case isRedis(err) && strings.Contains(err.Error(), "WRONGTYPE"): // a script may put words before it
		return errorKey, foreignKey
	case isRedis(err):
		return errorOther, ""
	default:
		return errorConnection, "check that Redis runs, and the address and network to it"
	}
}

// hopeless reports whether only a change of the configuration helps.
func hopeless(err error) bool {
	if err == nil {
		return false
	}
	kind := explain(err).Kind
	return kind == errorAuth || kind == errorConfig
}

// scriptDenied matches what versions of Redis say if a script may not run a command.
var scriptDenied = regexp.MustCompile("executing the script can't run|ACL failure in script")

// isRedis reports whether an error is a reply of the server.
func isRedis(err error) bool {
	_, ok := errors.AsType[redis.Error](err)
	return ok
}
