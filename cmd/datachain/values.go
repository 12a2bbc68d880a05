package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/prose"
)

// value is a flag that is parsed by a function, whose error says what is allowed.
type value struct {
	text string // as it was typed
	kind string // what help shows in its place
	set  func(string) error
}

// newValue returns a flag with a default, which is parsed, too.
func newValue(kind, standard string, set func(string) error) *value {
	v := &value{kind: kind, set: set}
	if standard != "" {
		if err := v.Set(standard); err != nil {
			panic(err) // in the source of this program
		}
	}
	return v
}

// String returns the value as it was typed.
func (v *value) String() string { return v.text }

// Set parses what was typed.
func (v *value) Set(typed string) error {
	typed = strings.TrimSpace(typed)
	err := v.set(typed)
	if err == nil {
		v.text = typed
	}
	return err
}

// Type returns what help shows in place of the value.
func (v *value) Type() string { return v.kind }

func anyText(at *string) func(string) error {
	return func(s string) error { *at = s; return nil }
}

func oneOf(at *string, words ...string) func(string) error {
	return func(s string) error {
		if !slices.Contains(words, s) {
			return errors.New("must be " + prose.Or(words))
		}
		*at = s
		return nil
	}
}

func onOff(at *bool) func(string) error {
	return func(s string) error {
		if s != "on" && s != "off" {
			return errors.New("must be on or off")
		}
		*at = s == "on"
		return nil
	}
}

func date(at *string) func(string) error {
	return func(s string) error {
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return errors.New("must be a date of the form YYYY-MM-DD")
		}
		*at = s
		return nil
	}
}

func integer(at *int, most int) func(string) error {
	return func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("must be an integer from 1 to %d", most)
		}
		*at = n
		return nil
	}
}

// limit is a number of requests, or off.
func limit(at *int) func(string) error {
	const most = 1<<16 - 1
	return func(s string) error {
		if s == "off" {
			*at = ratelimit.Off
			return nil
		}
		if integer(at, most)(s) != nil {
			return fmt.Errorf("must be an integer from 1 to %d, or off", most)
		}
		return nil
	}
}

func duration(at *time.Duration, least, most time.Duration) func(string) error {
	return func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d < least || d > most {
			return fmt.Errorf("must be a duration from %s to %s, such as 500ms or 2s", least, most)
		}
		*at = d
		return nil
	}
}

// units are units of sizes. A unit that ends in another one comes before it.
var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}, {"", 1}}

// parseSize returns a number of bytes, or -1.
func parseSize(s string) int64 {
	for _, u := range units {
		if digits, ok := strings.CutSuffix(s, u.name); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
			if err != nil || n < 0 || n > 1<<62/u.bytes {
				return -1
			}
			return n * u.bytes
		}
	}
	return -1
}

func size(at *int64, least, most string) func(string) error {
	return func(s string) error {
		n := parseSize(s)
		if n < parseSize(least) || n > parseSize(most) {
			return fmt.Errorf("must be a size from %s to %s, such as 512KiB or 64MiB", least, most)
		}
		*at = n
		return nil
	}
}

func hostPort(at *string) func(string) error {
	return func(s string) error {
		_, port, err := net.SplitHostPort(s)
		if err == nil {
			_, err = strconv.ParseUint(port, 10, 16)
		}
		if err != nil {
			return errors.New("must be host:port or :port, with a port from 0 to 65535, such as localhost:8080")
		}
		*at = s
		return nil
	}
}

func baseURL(at *string) func(string) error {
	return func(s string) error {
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
			return errors.New("must be an http or https URL without a query, such as https://example.org/datachain")
		}
		*at = s
		return nil
	}
}

// isURL tells the URL of a store from a directory.
func isURL(s string) bool { return strings.Contains(s, "://") }

func networks(at *[]netip.Prefix) func(string) error {
	return func(s string) error {
		var list []netip.Prefix
		for part := range strings.SplitSeq(s, ",") {
			part = strings.TrimSpace(part)
			p, err := netip.ParsePrefix(part)
			if a, e := netip.ParseAddr(part); e == nil {
				p, err = netip.PrefixFrom(a.Unmap().WithZone(""), a.Unmap().BitLen()), nil
			}
			if err != nil || p.Addr().Is4In6() {
				return fmt.Errorf("%q is not a network or an IP address; separate several with commas, such as 10.0.0.0/8,192.0.2.1", part)
			}
			list = append(list, p.Masked())
		}
		*at = list
		return nil
	}
}

// anyHost turns off the protection of --mcp-hosts.
const anyHost = "any"

func hosts(at *[]string) func(string) error {
	return func(s string) error {
		var list []string
		for name := range strings.SplitSeq(s, ",") {
			if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, "/: ") {
				return errors.New("must be host names without ports, separated by commas, such as datachain.example, or " + anyHost)
			}
			list = append(list, name)
		}
		*at = list
		return nil
	}
}
