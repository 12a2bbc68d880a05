package main

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// value is a flag that says at once what is wrong with what was typed.
type value[T any] struct {
	at    *T
	kind  string // what help shows in its place
	parse func(string) (T, error)
	show  func(T) string
}

// String, Set and Type make it the value of a flag.
func (v *value[T]) String() string { return v.show(*v.at) }

// Set takes what was typed.
func (v *value[T]) Set(s string) error {
	parsed, err := v.parse(strings.TrimSpace(s))
	if err == nil {
		*v.at = parsed
	}
	return err
}

// Type names what help shows.
func (v *value[T]) Type() string { return v.kind }

func asText(s string) string { return s }

// oneOf is a word among a few.
func oneOf(at *string, words ...string) *value[string] {
	return &value[string]{at, strings.Join(words, "|"), func(s string) (string, error) {
		if !slices.Contains(words, s) {
			last := len(words) - 1
			return "", fmt.Errorf("want %s or %s", strings.Join(words[:last], ", "), words[last])
		}
		return s, nil
	}, asText}
}

// dateValue is a day of the calendar.
func dateValue(at *string) *value[string] {
	return &value[string]{at, "YYYY-MM-DD", func(s string) (string, error) {
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return "", errors.New("want a day of the calendar, YYYY-MM-DD")
		}
		return s, nil
	}, asText}
}

// switchValue is on or off.
func switchValue(at *bool) *value[bool] {
	return &value[bool]{at, "on|off", func(s string) (bool, error) {
		if s != "on" && s != "off" {
			return false, errors.New("want on or off")
		}
		return s == "on", nil
	}, func(on bool) string {
		if on {
			return "on"
		}
		return "off"
	}}
}

// durationValue is a time between two others.
func durationValue(at *time.Duration, least, most time.Duration) *value[time.Duration] {
	return &value[time.Duration]{at, "duration", func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d < least || d > most {
			return 0, fmt.Errorf("want a time from %s to %s, such as 500ms or 2s", shortDuration(least), shortDuration(most))
		}
		return d, nil
	}, shortDuration}
}

// shortDuration leaves out the zeros of 1h0m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// numberValue is a whole number from 1 to another.
func numberValue(at *int, most int) *value[int] {
	return &value[int]{at, "number", func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > most {
			return 0, fmt.Errorf("want a whole number from 1 to %d", most)
		}
		return n, nil
	}, strconv.Itoa}
}

// limitValue is how many requests pass in a minute, or off.
func limitValue(at *int) *value[int] {
	number := numberValue(at, math.MaxUint16)
	return &value[int]{at, "number|off", func(s string) (int, error) {
		if s == "off" {
			return ratelimit.Off, nil
		}
		n, err := number.parse(s)
		if err != nil {
			err = fmt.Errorf("%w, or off", err)
		}
		return n, err
	}, func(n int) string {
		if n == ratelimit.Off {
			return "off"
		}
		return strconv.Itoa(n)
	}}
}

// units of sizes, the largest first.
var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}, {"", 1}}

// sizeValue is a number of bytes between two others.
func sizeValue(at *int64, least, most int64) *value[int64] {
	return &value[int64]{at, "size", func(s string) (int64, error) {
		for _, u := range units {
			digits, ok := strings.CutSuffix(s, u.name)
			if !ok {
				continue
			}
			n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
			if err == nil && n >= 0 && n <= most/u.bytes && n*u.bytes >= least {
				return n * u.bytes, nil
			}
			break
		}
		return 0, fmt.Errorf("want a size from %s to %s, such as 512KiB or 64MiB", shortSize(least), shortSize(most))
	}, shortSize}
}

func shortSize(n int64) string {
	for _, u := range units[:3] {
		if n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// addressValue is a host and a port.
func addressValue(at *string) *value[string] {
	return &value[string]{at, "host:port", func(s string) (string, error) {
		_, port, err := net.SplitHostPort(s)
		if err == nil {
			_, err = strconv.ParseUint(port, 10, 16)
		}
		if err != nil {
			return "", errors.New("want host:port or :port, with a port from 0 to 65535, such as localhost:8080")
		}
		return s, nil
	}, asText}
}

// baseValue is where clients find the service.
func baseValue(at *string) *value[string] {
	return &value[string]{at, "address", func(s string) (string, error) {
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
			return "", errors.New("want http:// or https://, a host and perhaps a path, such as https://example.org/datachain")
		}
		return s, nil
	}, asText}
}

// isAddress tells an address on the web from a folder.
func isAddress(s string) bool { return strings.Contains(s, "://") }

// networksValue is a list of networks and addresses.
func networksValue(at *[]netip.Prefix) *value[[]netip.Prefix] {
	return &value[[]netip.Prefix]{at, "networks", parseNetworks, func(list []netip.Prefix) string {
		var text []string
		for _, p := range list {
			text = append(text, p.String())
		}
		return strings.Join(text, ",")
	}}
}

func parseNetworks(s string) ([]netip.Prefix, error) {
	var list []netip.Prefix
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		p, err := netip.ParsePrefix(part)
		if a, e := netip.ParseAddr(part); e == nil {
			p, err = netip.PrefixFrom(a.Unmap().WithZone(""), a.Unmap().BitLen()), nil
		}
		if err != nil || p.Addr().Is4In6() {
			return nil, fmt.Errorf("%q is none: want networks or addresses with commas between them, such as 10.0.0.0/8,192.0.2.1", part)
		}
		list = append(list, p.Masked())
	}
	return list, nil
}
