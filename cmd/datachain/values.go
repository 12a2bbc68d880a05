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

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
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

// must returns a function that sets a variable to what parse returns, or says what
// the value must be.
func must[T any](at *T, be string, parse func(string) (T, bool)) func(string) error {
	return func(s string) error {
		parsed, ok := parse(s)
		if !ok {
			return errors.New("must be " + be)
		}
		*at = parsed
		return nil
	}
}

func anyText(at *string) func(string) error {
	return must(at, "", func(s string) (string, bool) { return s, true })
}

func oneOf(at *string, words ...string) func(string) error {
	return must(at, wording.Or(words), func(s string) (string, bool) { return s, slices.Contains(words, s) })
}

// given parses a switch: it is on if the flag is given, and can be set to on or off
// with a variable.
func given(at *bool) func(string) error {
	return must(at, "on or off", func(s string) (bool, bool) {
		return s == "on" || s == "true", slices.Contains([]string{"on", "off", "true", "false"}, s)
	})
}

func onOff(at *bool) func(string) error {
	return must(at, "on or off", func(s string) (bool, bool) { return s == "on", s == "on" || s == "off" })
}

func date(at *string) func(string) error {
	return must(at, "a date of the form YYYY-MM-DD", func(s string) (string, bool) { return s, ident.IsDate(s) })
}

func integer(at *int, most int) func(string) error {
	return must(at, fmt.Sprintf("an integer from 1 to %d", most), func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && 1 <= n && n <= most
	})
}

// limit is a number of requests, or off.
func limit(at *int) func(string) error {
	number := integer(at, 1<<16-1)
	return func(s string) error {
		if s == "off" {
			*at = -1
			return nil
		}
		if err := number(s); err != nil {
			return fmt.Errorf("%w, or off", err)
		}
		return nil
	}
}

func duration(at *time.Duration, least, most time.Duration) func(string) error {
	return must(at, fmt.Sprintf("a duration from %s to %s, such as 500ms or 2s", least, most), func(s string) (time.Duration, bool) {
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

func size(at *int64, least, most string) func(string) error {
	return must(at, fmt.Sprintf("a size from %s to %s, such as 512KiB or 64MiB", least, most), func(s string) (int64, bool) {
		n := parseSize(s)
		return n, parseSize(least) <= n && n <= parseSize(most)
	})
}

func hostPort(at *string) func(string) error {
	return must(at, "host:port or :port, with a port from 0 to 65535, such as localhost:8080", func(s string) (string, bool) {
		_, port, err := net.SplitHostPort(s)
		if err == nil {
			_, err = strconv.ParseUint(port, 10, 16)
		}
		return s, err == nil
	})
}

func baseURL(at *string) func(string) error {
	return must(at, "an http or https URL without a query, such as https://example.org/datachain", func(s string) (string, bool) {
		u, err := url.Parse(s)
		return s, err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == ""
	})
}

func networks(at *[]netip.Prefix) func(string) error {
	return must(at, "networks or IP addresses, separated by commas, such as 10.0.0.0/8,192.0.2.1", commas(func(s string) (netip.Prefix, bool) {
		p, err := netip.ParsePrefix(s)
		if a, e := netip.ParseAddr(s); e == nil {
			p, err = netip.PrefixFrom(a.Unmap().WithZone(""), a.Unmap().BitLen()), nil
		}
		return p.Masked(), err == nil && !p.Addr().Is4In6()
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

// anyHost turns off the protection of --mcp-hosts.
const anyHost = "any"

func hosts(at *[]string) func(string) error {
	return must(at, "host names without ports, separated by commas, such as datachain.example, or "+anyHost, commas(func(name string) (string, bool) {
		return name, name != "" && !strings.ContainsAny(name, "/: ")
	}))
}

// completeFlag sets how a flag is completed. Cobra fails only if there is no such
// flag.
func completeFlag(cmd *cobra.Command, name string, complete cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(name, complete)
}

// completeWords makes a flag complete to some words.
func completeWords(cmd *cobra.Command, name string, words ...string) {
	completeFlag(cmd, name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeFiles completes to files with one of some extensions.
func completeFiles(extensions ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

// completeDir completes a single directory.
func completeDir(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeJSON completes .json files and directories.
var completeJSON = completeFiles("json")

// completeNames completes up to most arguments, or any number if most is
// negative. A description may follow a name after a tab.
func completeNames(most int, names func(cmd *cobra.Command, args []string) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most >= 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		list := slices.DeleteFunc(names(cmd, args), func(name string) bool { return !strings.HasPrefix(name, typed) })
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeVersions completes arguments to the versions and aliases of a location.
func (p *program) completeVersions(most int, from *stores.Location) cobra.CompletionFunc {
	return p.completeListed(most, func(cmd *cobra.Command, args []string) (taxonomy.Store, error) {
		if cmd.PreRunE != nil {
			if err := cmd.PreRunE(cmd, args); err != nil {
				return nil, err
			}
		}
		if from.Store == "" && from.Schemas != "" {
			return p.openSource(from.Schemas) // which is not compiled, so the list is there at once
		}
		opened, err := p.openStore(cmd.Context(), *from)
		if err != nil {
			return nil, err
		}
		return opened.Store, nil
	})
}

// completeSource completes arguments to the versions and aliases of a schema source.
func (p *program) completeSource(in func(args []string) (stores.Location, error)) cobra.CompletionFunc {
	return p.completeListed(-1, func(_ *cobra.Command, args []string) (taxonomy.Store, error) {
		l, err := in(args)
		if err != nil {
			return nil, err
		}
		return p.openSourceAt(l)
	})
}

func (p *program) completeListed(most int, open func(cmd *cobra.Command, args []string) (taxonomy.Store, error)) cobra.CompletionFunc {
	return completeNames(most, func(cmd *cobra.Command, args []string) (names []cobra.Completion) {
		s, err := open(cmd, args)
		if err != nil {
			return nil
		}
		x, err := s.Index(cmd.Context())
		if err != nil {
			return nil
		}
		for _, e := range x.Entries() {
			names = append(names, slices.Insert(e.Aliases, 0, e.ID.String())...)
		}
		return names
	})
}
