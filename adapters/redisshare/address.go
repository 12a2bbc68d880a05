package redisshare

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/redis/go-redis/v9"
)

// forms are the addresses that [Open] understands, for messages.
const forms = "redis://host:port/db, rediss:// for TLS, unix:///path?db=0, " +
	"redis+sentinel://host:port/db?master_name=name&addr=host:port or redis+cluster://host:port?addr=host:port"

// CheckAddress reports what is wrong with an address for [Open]. The error does not
// repeat the address, which may contain a password.
func CheckAddress(address string) error {
	_, err := parseAddress(address)
	return err
}

// parseAddress turns an address into the options of a client.
func parseAddress(address string) (*redis.UniversalOptions, error) {
	o, err := parse(address)
	if urlErr, ok := errors.AsType[*url.Error](err); ok {
		err = urlErr.Err // without the address
	}
	if err != nil {
		return nil, fmt.Errorf("redisshare: invalid address of Redis: %s: use %s", strings.TrimPrefix(err.Error(), "redis: "), forms)
	}
	return o, nil
}

// parse leaves addresses to the client, which knows neither the schemes with + nor lists of hosts.
func parse(address string) (*redis.UniversalOptions, error) {
	scheme, rest, _ := strings.Cut(address, "://")
	scheme, kind, _ := strings.Cut(scheme, "+")
	hosts, _, _ := strings.Cut(rest[strings.LastIndexByte(rest, '@')+1:], "/")
	if hosts, _, _ = strings.Cut(hosts, "?"); strings.Contains(hosts, ",") {
		return nil, errors.New("name further hosts with the parameter addr")
	}
	plain := scheme + "://" + rest
	switch kind {
	case "":
		o, err := redis.ParseURL(plain)
		if err != nil {
			return nil, err
		}
		return &redis.UniversalOptions{Addrs: []string{o.Addr}, DB: o.DB, Username: o.Username, Password: o.Password, TLSConfig: o.TLSConfig}, nil
	case "cluster":
		o, err := redis.ParseClusterURL(plain)
		if err != nil {
			return nil, err
		}
		return &redis.UniversalOptions{Addrs: o.Addrs, Username: o.Username, Password: o.Password, TLSConfig: o.TLSConfig, IsClusterMode: true}, nil
	case "sentinel":
		o, err := redis.ParseFailoverURL(plain)
		if err != nil {
			return nil, err
		}
		if o.MasterName == "" {
			return nil, errors.New("the parameter master_name is missing")
		}
		return &redis.UniversalOptions{
			Addrs: o.SentinelAddrs, MasterName: o.MasterName, DB: o.DB, Username: o.Username, Password: o.Password,
			SentinelUsername: o.SentinelUsername, SentinelPassword: o.SentinelPassword, TLSConfig: o.TLSConfig,
		}, nil
	}
	return nil, fmt.Errorf("invalid URL scheme: %s+%s", scheme, kind)
}
