package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/internal/linelog"
)

func (p *program) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer taxonomies to a language model over standard input and output",
		Long: `Offer taxonomies to a language model: tools that read them, and that validate, resolve
and show datachains, over the Model Context Protocol on standard input and output. A
client starts this command; what it logs is on standard error.

'datachain serve' offers the same at /mcp. Each flag has a variable: --store is
DATACHAIN_STORE.`,
		Example: `  datachain mcp
  datachain mcp --schemas taxonomies
  datachain mcp --store https://datachain.example --base-url https://datachain.example`,
		Args:              takes(0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	s := mcpFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := p.fromEnvironment(cmd); err != nil {
			return err
		}
		if err := s.check(cmd); err != nil {
			return err
		}
		out := linelog.NewWriter(p.stderr)
		defer out.Flush()
		return p.mcp(cmd.Context(), s, newLogger(out, s))
	}
	return cmd
}

// mcpFlags adds the flags of mcp to a command, in groups.
func mcpFlags(cmd *cobra.Command) *settings {
	s := standardSettings()
	g := &groups{cmd: cmd}
	sourceFlags(g, s)
	g.begin("Addresses")
	g.add(baseValue(&s.baseURL), "base-url", "where the REST API is, for addresses of icons (default icons are sent whole)")
	g.begin("Logs")
	g.add(oneOf(&s.logFormat, "text", "json"), "log-format", "form of the log on standard error")
	g.add(oneOf(&s.logLevel, "debug", "info", "warn", "error"), "log-level", "least that is logged")
	g.hideDefault("store-cache", "base-url")
	cmd.SetUsageFunc(groupedUsage)
	return s
}

// mcp serves one client until it closes standard input, or the context ends.
func (p *program) mcp(ctx context.Context, s *settings, log *slog.Logger) error {
	srv := newServer(p, s, log)
	store, closeStore, err := p.openServed(s, srv)
	if err != nil {
		return err
	}
	defer closeStore()
	if p.stderrTerminal {
		p.say("Speaking MCP on standard input and output. It is for a client to start this: see 'datachain mcp --help'.")
	}
	service := datachain.New(store, &datachain.Options{MaxCPU: s.maxCPU, Report: srv.unusable})
	server, err := mcp.New(service, srv.mcpOptions())
	if err != nil {
		return err
	}
	return server.ServeStdio(ctx, p.stdin, p.stdout)
}

// anyHost turns off the protection of --mcp-hosts.
const anyHost = "any"

func (s *server) mcpOptions() *mcp.Options {
	return &mcp.Options{
		BaseURL: s.baseURL, Version: s.version, MaxBody: s.maxBody, Timeout: s.workTimeout, MaxWork: s.maxWork,
		AllowedHosts: s.mcpHosts, AnyHost: slices.Contains(s.mcpHosts, anyHost), OnlyLegacy: !s.mcpNew,
		Logger: s.log,
	}
}

// alsoServed is what is served beside the REST API.
func (s *server) alsoServed() (map[string]http.Handler, error) {
	if !s.mcpOn {
		return nil, nil
	}
	server, err := mcp.New(s.service, s.mcpOptions())
	if err != nil {
		return nil, err
	}
	return map[string]http.Handler{"/mcp": server.Handler()}, nil
}

// hostsValue is a list of names of hosts, or any.
func hostsValue(at *[]string) *value[[]string] {
	return &value[[]string]{at, "name,…|" + anyHost, func(text string) ([]string, error) {
		var hosts []string
		for name := range strings.SplitSeq(text, ",") {
			if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, "/: ") {
				return nil, errors.New("want names of hosts without ports, such as datachain.example, or " + anyHost)
			}
			hosts = append(hosts, name)
		}
		return hosts, nil
	}, func(hosts []string) string { return strings.Join(hosts, ",") }}
}
