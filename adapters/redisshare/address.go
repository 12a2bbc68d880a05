package redisshare

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// forms are the addresses that [Open] understands, for messages.
const forms = "redis://host:port/db, rediss:// for TLS, unix:///path, " +
	"redis+sentinel://host:port,host:port/master/db or redis+cluster://host:port,host:port"

// The default ports.
const (
	redisPort    = "6379"
	sentinelPort = "26379"
)

// CheckAddress reports what is wrong with an address for [Open]. The error does not
// repeat the address, which may contain a password.
func CheckAddress(address string) error {
	_, err := parseAddress(address)
	return err
}

// parseAddress turns an address into the options of a client.
func parseAddress(address string) (*redis.UniversalOptions, error) {
	o, err := parse(address)
	if err != nil {
		return nil, fmt.Errorf("redisshare: invalid address of Redis: %w: use %s", err, forms)
	}
	return o, nil
}

func parse(address string) (*redis.UniversalOptions, error) {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return nil, errors.New("it has no scheme")
	}
	kind, secure := kindOf(scheme)
	if kind == unknown {
		return nil, fmt.Errorf("unknown scheme %q", scheme)
	}
	hosts := ""
	if kind != socket {
		rest, hosts = cutHosts(rest)
	}
	u, err := url.Parse("redis://" + rest)
	if err != nil {
		return nil, errors.New("it is not a URL") // the error of url.Parse repeats it
	}
	o := &redis.UniversalOptions{IsClusterMode: kind == cluster}
	if u.User != nil {
		o.Username = u.User.Username()
		o.Password, _ = u.User.Password()
	}
	if secure {
		o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if kind == socket {
		o.Addrs = []string{u.Path}
		return o, socketQuery(o, u)
	}
	port := redisPort
	if kind == sentinel {
		port = sentinelPort
	}
	if o.Addrs, err = addresses(hosts, port); err != nil {
		return nil, err
	}
	if kind == single && len(o.Addrs) != 1 {
		return nil, errors.New("several hosts need redis+sentinel:// or redis+cluster://")
	}
	if err := path(o, kind, u.Path); err != nil {
		return nil, err
	}
	return o, query(o, kind, u)
}

type kind int

const (
	unknown kind = iota
	single
	socket
	sentinel
	cluster
)

func kindOf(scheme string) (k kind, secure bool) {
	switch scheme {
	case "redis", "rediss":
		k = single
	case "unix":
		k = socket
	case "redis+sentinel", "rediss+sentinel":
		k = sentinel
	case "redis+cluster", "rediss+cluster":
		k = cluster
	}
	return k, strings.HasPrefix(scheme, "rediss")
}

// cutHosts takes the hosts out of what follows the scheme, since a URL has room
// for one host only.
func cutHosts(rest string) (without, hosts string) {
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	begin := strings.LastIndexByte(rest[:end], '@') + 1
	return rest[:begin] + "host" + rest[end:], rest[begin:end]
}

// addresses splits a list of hosts, and adds the port where it is missing.
func addresses(hosts, port string) ([]string, error) {
	var all []string
	for host := range strings.SplitSeq(hosts, ",") {
		name, p, err := net.SplitHostPort(host)
		if err != nil { // without a port
			name, p = strings.Trim(host, "[]"), port
		}
		if n, err := strconv.ParseUint(p, 10, 16); err != nil || n == 0 {
			return nil, fmt.Errorf("the port of %q must be from 1 to 65535", host)
		}
		if name == "" {
			return nil, errors.New("a host is missing")
		}
		all = append(all, net.JoinHostPort(name, p))
	}
	return all, nil
}

// path reads the number of the database, and the name of a sentinel's master.
func path(o *redis.UniversalOptions, k kind, p string) error {
	p = strings.Trim(p, "/")
	if k == cluster {
		if p != "" && p != "0" {
			return errors.New("a cluster has database 0 only")
		}
		return nil
	}
	if k == sentinel {
		o.MasterName, p, _ = strings.Cut(p, "/")
		if o.MasterName == "" {
			return errors.New("the name of the master is missing")
		}
	}
	return database(o, p)
}

func database(o *redis.UniversalOptions, number string) error {
	if number == "" {
		return nil
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return fmt.Errorf("the database %q must be a number", number)
	}
	o.DB = n
	return nil
}

// query reads the parameters of a URL.
func query(o *redis.UniversalOptions, k kind, u *url.URL) error {
	for name, values := range u.Query() {
		switch {
		case k == sentinel && name == "sentinel_username":
			o.SentinelUsername = values[0]
		case k == sentinel && name == "sentinel_password":
			o.SentinelPassword = values[0]
		default:
			return fmt.Errorf("unknown parameter %q", name)
		}
	}
	return nil
}

// socketQuery reads the parameters of a URL of a Unix socket, whose path has no
// room for the number of the database.
func socketQuery(o *redis.UniversalOptions, u *url.URL) error {
	if u.Host != "" || u.Path == "" || u.Path == "/" {
		return errors.New("the path of a Unix socket must be absolute")
	}
	for name, values := range u.Query() {
		if name != "db" {
			return fmt.Errorf("unknown parameter %q", name)
		}
		if err := database(o, values[0]); err != nil {
			return err
		}
	}
	return nil
}
