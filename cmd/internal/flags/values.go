package flags

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Value is the value of a flag.
type Value struct {
	text    string // as it was typed
	short   string // the letter of the flag, if it has one
	kind    string // what help shows in place of the value
	allowed string // which values it takes, for messages
	// secret values are not repeated in messages.
	secret bool
	// hint returns a hint for a wrong value, or ""; it can be nil.
	hint     func(string) string
	set      func(string) bool
	complete cobra.CompletionFunc // nil lets the shell complete files
}

// kindSwitch is the kind of a flag without a value. Help shows nothing in its place.
const kindSwitch = "bool"

// String returns the value as it was typed.
func (v *Value) String() string { return v.text }

// Type returns what help shows in place of the value.
func (v *Value) Type() string { return v.kind }

// Set parses a value. It refuses an empty one, which in a script is a variable that was not set.
func (v *Value) Set(typed string) error {
	typed = strings.TrimSpace(typed)
	if typed == "" || !v.set(typed) {
		return errors.New("must be " + v.allowed)
	}
	v.text = typed
	return nil
}

// Wrong says what is wrong with the value of something that has a name, or returns "".
func (v *Value) Wrong(name, typed string) string {
	if v.Set(typed) == nil {
		return ""
	}
	return v.explain(name, typed)
}

func (v *Value) explain(name, typed string) string {
	text := name + " must be " + v.allowed
	if !v.secret {
		text += ", not " + wording.Quote(typed)
	}
	if v.hint != nil {
		if hint := v.hint(typed); hint != "" {
			text += "; " + hint
		}
	}
	return text
}

// Default sets the default.
func (v *Value) Default(typed string) *Value {
	if err := v.Set(typed); err != nil {
		panic(fmt.Sprintf("the default %q %v", typed, err)) // in the source of this program
	}
	return v
}

// Shown sets what help shows in place of the value.
func (v *Value) Shown(kind string) *Value {
	v.kind = kind
	return v
}

// Letter sets the letter of the flag.
func (v *Value) Letter(short string) *Value {
	v.short = short
	return v
}

// Hinted adds a hint to the message about a wrong value.
func (v *Value) Hinted(hint func(typed string) string) *Value {
	v.hint = hint
	return v
}

// Completed sets how the value is completed.
func (v *Value) Completed(complete cobra.CompletionFunc) *Value {
	v.complete = complete
	return v
}

// Parsed is a value that is parsed by a function. Help shows kind in its place; allowed says which
// values it takes, as in "must be on or off".
func Parsed[T any](at *T, kind, allowed string, parse func(string) (T, bool)) *Value {
	return &Value{kind: kind, allowed: allowed, complete: cobra.NoFileCompletions, set: func(s string) bool {
		result, ok := parse(s)
		if ok {
			*at = result
		}
		return ok
	}}
}

// List is any number of values, separated by commas or given in several flags.
func List[T any](at *[]T, one func(*T) *Value) *Value {
	var item T
	v := one(&item)
	set := v.set
	v.set = func(s string) bool {
		var all []T
		for part := range strings.SplitSeq(s, ",") {
			if part = strings.TrimSpace(part); part == "" || !set(part) {
				return false
			}
			all = append(all, item)
		}
		*at = append(*at, all...)
		return true
	}
	return v
}

// Repeated is any number of values, each given in a flag of its own; they may contain commas.
func Repeated[T any](at *[]T, one func(*T) *Value) *Value {
	var item T
	v := one(&item)
	set := v.set
	v.set = func(s string) bool {
		ok := set(s)
		if ok {
			*at = append(*at, item)
		}
		return ok
	}
	return v
}

// Text is any text.
func Text(at *string, kind, allowed string) *Value {
	return Parsed(at, kind, allowed, func(s string) (string, bool) { return s, true })
}

// ID is the id of something.
func ID(at *string) *Value { return Text(at, "id", "an id") }

// File is the name of a file. It completes to files with some extensions.
func File(at *string, extensions ...string) *Value {
	v := Parsed(at, "file", "a file", notFlag)
	if v.complete = nil; len(extensions) > 0 {
		v.complete = cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
	}
	return v
}

// Dir is the name of a directory.
func Dir(at *string) *Value { return DirOr(at, "dir", "a directory") }

// DirOr is the name of a directory, or something else.
func DirOr(at *string, kind, allowed string) *Value {
	return Parsed(at, kind, allowed, notFlag).Completed(cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
}

// Key names a key: that of a file, or of an environment variable.
func Key(at *string) *Value {
	return DirOr(at, "file|env:NAME", "a file or env:NAME").Completed(nil)
}

// notFlag refuses a value that is probably the next flag, because the value was omitted.
func notFlag(s string) (string, bool) { return s, s == "-" || !strings.HasPrefix(s, "-") }

// OneOf is one of some words.
func OneOf(at *string, words ...string) *Value {
	return Parsed(at, strings.Join(words, "|"), wording.Or(words), func(s string) (string, bool) { return s, slices.Contains(words, s) }).
		Completed(cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)).
		Hinted(func(typed string) string {
			if near := similar.Nearest(typed, slices.Values(words)); near != "" {
				return "did you mean " + near + "?"
			}
			return ""
		})
}

// OnOff is on or off.
func OnOff(at *bool) *Value {
	v := OneOf(new(string), "on", "off")
	v.set = func(s string) bool {
		*at = s == "on"
		return s == "on" || s == "off"
	}
	return v
}

// Switch is on if the flag is given. A variable sets it to on or off.
func Switch(at *bool) *Value {
	return Parsed(at, kindSwitch, "on or off", func(s string) (bool, bool) {
		return s == "on" || s == "true", slices.Contains([]string{"on", "off", "true", "false"}, s)
	})
}

// Date is a day.
func Date(at *string) *Value {
	return Parsed(at, "YYYY-MM-DD", "a date of the form YYYY-MM-DD", func(s string) (string, bool) { return s, ident.IsDate(s) })
}

// Version is the id or an alias of a schema version.
func Version(at *string) *Value {
	return Parsed(at, "version", "a version, such as ai@latest", func(s string) (string, bool) {
		_, err := taxonomy.ParseRef(s)
		return s, err == nil
	}).Hinted(func(s string) string {
		_, err := taxonomy.ParseRef(s)
		if _, reason, _ := strings.Cut(err.Error(), "\": "); !strings.HasPrefix(reason, "must be ") {
			return reason
		}
		return ""
	})
}

// TypeID is the id of a datachain type.
func TypeID(at *string) *Value {
	return Parsed(at, "type", fmt.Sprintf("1 to %d letters, digits, '_' and '-'", ident.MaxIDLength), func(s string) (string, bool) { return s, ident.IsID(s) })
}

// Locale is a language.
func Locale(at *string) *Value {
	return Parsed(at, "language", "a language tag, such as fr or pt-BR", func(s string) (string, bool) { return s, datachain.Check("locale", s) == nil })
}

// Integer is a number from 1.
func Integer(at *int, most int) *Value {
	return Parsed(at, "number", fmt.Sprintf("an integer from 1 to %d", most), func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && 1 <= n && n <= most
	})
}

// Limit is a number of requests, or off, which is -1.
func Limit(at *int) *Value {
	v := Integer(at, 1<<16-1)
	number := v.set
	v.kind, v.allowed = "number|off", v.allowed+", or off"
	v.set = func(s string) bool {
		if s == "off" {
			*at = -1
			return true
		}
		return number(s)
	}
	return v
}

// zeros matches those of a duration such as 1h0m0s.
var zeros = regexp.MustCompile(`([hm])(0m)?0s$`)

// Duration is a time within bounds.
func Duration(at *time.Duration, least, most time.Duration) *Value {
	shown := func(d time.Duration) string { return zeros.ReplaceAllString(d.String(), "$1") }
	example := "2s"
	switch {
	case least > time.Hour:
		example = "36h"
	case most <= 2*time.Second:
		example = "25ms"
	}
	between := fmt.Sprintf("a duration from %s to %s, such as %s", shown(least), shown(most), example)
	return Parsed(at, "duration", between, func(s string) (time.Duration, bool) {
		d, err := time.ParseDuration(s)
		return d, err == nil && least <= d && d <= most
	})
}

var units = map[string]int64{"GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10, "GB": 1e9, "MB": 1e6, "kB": 1e3, "B": 1, "": 1}

// parseSize returns a number of bytes, or -1.
func parseSize(s string) int64 {
	digits := strings.TrimRight(s, "BGKMik")
	unit, ok := units[s[len(digits):]]
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if !ok || err != nil || n < 0 || n > 1<<62/unit {
		return -1
	}
	return n * unit
}

// Size is a number of bytes within bounds. 0 is -1, which means none.
func Size(at *int64, least, most string) *Value {
	example := "512KiB"
	if parseSize(least) > parseSize(example) {
		example = "64MiB"
	}
	return Parsed(at, "size", fmt.Sprintf("a size from %s to %s, such as %s", least, most, example), func(s string) (int64, bool) {
		n := parseSize(s)
		ok := parseSize(least) <= n && n <= parseSize(most)
		if n == 0 {
			n = -1
		}
		return n, ok
	})
}

// HostPort is an address to listen at.
func HostPort(at *string) *Value {
	return Parsed(at, "host:port", "host:port or :port, with a port from 0 to 65535, such as localhost:8080", func(s string) (string, bool) {
		_, port, err := net.SplitHostPort(s)
		if err == nil {
			_, err = strconv.ParseUint(port, 10, 16)
		}
		return s, err == nil
	})
}

// BaseURL is the URL of a site or a server.
func BaseURL(at *string) *Value {
	return Parsed(at, "URL", "an http or https URL without a query and without credentials, such as https://example.org/datachain", func(s string) (string, bool) {
		u, err := url.Parse(s)
		return s, err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && !strings.ContainsAny(s, "?#")
	})
}

// RedisURL is the URL of Redis, which may have a password. The check returns what is wrong with it.
func RedisURL(at *string, check func(string) error) *Value {
	v := Parsed(at, "URL", "a URL with the scheme redis, rediss, unix, redis+sentinel or redis+cluster, such as redis://localhost:6379", func(s string) (string, bool) {
		return s, check(s) == nil
	}).Hinted(func(s string) string {
		err := check(s)
		if err == nil {
			return "" // it is empty
		}
		reason, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "redisshare: invalid address of Redis: "), ": use ")
		return reason
	})
	v.secret = true
	return v
}

// Networks are networks and IP addresses.
func Networks(at *[]netip.Prefix) *Value {
	return Parsed(at, "networks", "networks or IP addresses, separated by commas, such as 10.0.0.0/8,192.0.2.1", commas(func(s string) (netip.Prefix, bool) {
		p, err := netip.ParsePrefix(s)
		if a, e := netip.ParseAddr(s); e == nil {
			p, err = netip.PrefixFrom(a.Unmap().WithZone(""), a.Unmap().BitLen()), nil
		}
		return p.Masked(), err == nil && !p.Addr().Is4In6()
	}))
}

// AnyHost is the value of [Hosts] that stands for all.
const AnyHost = "any"

// Hosts are host names.
func Hosts(at *[]string) *Value {
	return Parsed(at, "names|any", "host names without ports, separated by commas, such as datachain.example, or "+AnyHost, commas(func(name string) (string, bool) {
		return name, name != "" && !strings.ContainsAny(name, "/: ")
	}))
}

// commas parses a list whose items are separated by commas.
func commas[T any](parse func(string) (T, bool)) func(string) ([]T, bool) {
	return func(s string) (list []T, ok bool) {
		for part := range strings.SplitSeq(s, ",") {
			item, ok := parse(strings.TrimSpace(part))
			if !ok {
				return nil, false
			}
			list = append(list, item)
		}
		return list, true
	}
}
