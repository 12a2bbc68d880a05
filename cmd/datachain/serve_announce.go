package main

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
)

// announce tells what is served, and where: a person by a table, a machine by
// lines of its log.
func (p *program) announce(s *server, found *look) error {
	if s.logFormat == "json" && !p.stderrTerminal {
		s.log.Info("serving", "url", s.url(), "admin", s.adminURL())
		for _, r := range found.releases {
			s.log.Info("release loaded", "version", r.ID.String(), "content_hash", r.ContentHash.String(), "elements", r.Elements)
		}
	} else if err := p.announcePlainly(s, found.releases); err != nil {
		return err
	}
	for version, err := range found.failures {
		s.failure(version, err)
	}
	if len(found.releases) == 0 {
		s.log.Warn("no release is loaded yet", "next", "looking again each second")
	}
	return nil
}

func (p *program) announcePlainly(s *server, releases []versionRow) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Serving at %s/api/v2/schemas\n", p.errStyle().Bold(s.url()))
	if s.mcpOn {
		fmt.Fprintf(&b, "MCP at %s/mcp\n", s.url())
	}
	if admin := s.adminURL(); admin != "" {
		fmt.Fprintf(&b, "Health, metrics and profiles at %s/readyz, /metrics, /debug/pprof/\n", admin)
	} else if p.stderrTerminal {
		fmt.Fprintln(&b, p.errStyle().Dim("Health, metrics and profiles are off: --admin-addr localhost:9090 turns them on."))
	}
	var err error
	switch {
	case len(releases) == 0:
	case p.stderrTerminal:
		rows := [][]string{{"VERSION", "ELEMENTS", "CONTENT HASH", "ALIASES"}}
		for _, r := range releases {
			rows = append(rows, []string{r.ID.String(), fmt.Sprint(r.Elements), shortHash(r.ContentHash), strings.Join(r.Aliases, " ")})
		}
		b.WriteByte('\n')
		err = table(&b, rows)
		b.WriteByte('\n')
	default:
		for _, r := range releases {
			line := []string{" ", r.ID.String(), prose.Count(r.Elements, "element"), r.ContentHash.String()}
			fmt.Fprintln(&b, strings.Join(slices.Concat(line, r.Aliases), " "))
		}
	}
	_, _ = p.stderr.Write(b.Bytes()) // nobody is left to tell where it fails
	return err
}

// url is where the service is, with the port that the system gave.
func (s *server) url() string {
	scheme := "http"
	if s.tlsCert != "" {
		scheme = "https"
	}
	return scheme + "://" + s.publicListener.Addr().String()
}

func (s *server) adminURL() string {
	if s.admin == nil {
		return ""
	}
	return "http://" + s.adminListener.Addr().String()
}

// redacted is an address without its password.
func redacted(address string) string {
	switch u, err := url.Parse(address); {
	case err != nil:
		return "address"
	case u.User == nil:
		return address // as it was typed
	default:
		return u.Redacted()
	}
}
