package deploy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// query is an expression of an alert or a panel.
type query struct{ where, expr string }

// TestAlerts checks the rules, and that each has an entry in the run book and the other
// way round.
func TestAlerts(t *testing.T) {
	headings := regexp.MustCompile(`(?m)^## (\S+)$`).FindAllStringSubmatch(string(readFile(t, "../docs/runbook.md")), -1)
	var entries []string
	for _, h := range headings {
		entries = append(entries, h[1])
	}
	var alerts []string
	for _, rule := range rules(t) {
		alerts = append(alerts, rule.Alert)
		assert.True(t, strings.HasSuffix(rule.Annotations["runbook_url"], "/docs/runbook.md#"+strings.ToLower(rule.Alert)), rule.Alert)
		assert.NotEmpty(t, rule.Annotations["summary"], rule.Alert)
		assert.Contains(t, []string{"warning", "critical"}, rule.Labels["severity"], rule.Alert)
	}
	assert.Equal(t, alerts, entries, "the run book has the alerts in their order")
}

// rules returns the alerts, checked as Prometheus does: syntax, templates, duplicates.
func rules(t *testing.T) []rulefmt.Rule {
	groups, errs := rulefmt.ParseFile("prometheus/alerts.yaml", false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	require.Empty(t, errs)
	require.Len(t, groups.Groups, 1)
	return groups.Groups[0].Rules
}

// panels returns the queries of the dashboard, with Grafana's variables replaced.
func panels(t *testing.T) []query {
	var dashboard struct {
		UID    string
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr, RefID string }
		}
	}
	require.NoError(t, json.Unmarshal(readFile(t, "grafana/datachain.json"), &dashboard))
	assert.Equal(t, "datachain", dashboard.UID)
	variables := strings.NewReplacer("$__rate_interval", "5m", "$job", "datachain")
	var ids []int
	var queries []query
	for _, p := range dashboard.Panels {
		assert.NotContains(t, ids, p.ID, p.Title)
		ids = append(ids, p.ID)
		assert.NotEmpty(t, p.Targets, p.Title)
		for _, target := range p.Targets {
			queries = append(queries, query{p.Title, variables.Replace(target.Expr)})
		}
	}
	return queries
}

// TestMetrics checks that every metric and label in alerts and dashboard is one that a
// server has.
func TestMetrics(t *testing.T) {
	queries := panels(t)
	for _, rule := range rules(t) {
		queries = append(queries, query{rule.Alert, rule.Expr})
	}
	families := scrape(t)
	for _, q := range queries {
		expr, err := parser.NewParser(parser.Options{}).ParseExpr(q.expr)
		require.NoError(t, err, q.where)
		for _, selector := range parser.ExtractSelectors(expr) {
			check(t, families, q.where, selector)
		}
	}
}

// check checks one selector. Prometheus adds the metric up and the labels job, instance.
func check(t *testing.T, families map[string]*dto.MetricFamily, where string, selector []*labels.Matcher) {
	var name string
	for _, m := range selector {
		if m.Name == model.MetricNameLabel {
			name = m.Value
		}
	}
	if name == "up" {
		return
	}
	family := families[name]
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if f := families[strings.TrimSuffix(name, suffix)]; family == nil && f.GetType() == dto.MetricType_HISTOGRAM {
			family = f
		}
	}
	if !assert.NotNil(t, family, "%s: the server has no metric %s", where, name) {
		return
	}
	for _, m := range selector {
		known := slices.ContainsFunc(family.Metric[0].Label, func(l *dto.LabelPair) bool { return l.GetName() == m.Name })
		assert.True(t, known || slices.Contains([]string{model.MetricNameLabel, "job", "instance"}, m.Name), "%s: %s has no label %s", where, name, m.Name)
	}
}

// scrape returns the metrics of a server that has answered a request. Its Redis is away,
// which shows more of them.
func scrape(t *testing.T) map[string]*dto.MetricFamily {
	program := filepath.Join(t.TempDir(), "datachain")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", program, "./cmd/datachain-cloud")
	build.Dir = ".."
	build.Env = append(build.Environ(), "GOWORK=") // the tests are not in go.work, the command is
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	server := exec.CommandContext(t.Context(), program, "serve", "--samples", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0",
		"--log-format", "json", "--drain-delay", "0s", "--documents", "../examples/documents", "--shared", "redis://127.0.0.1:1/0")
	stderr, err := server.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	defer func() {
		assert.NoError(t, server.Process.Signal(syscall.SIGTERM))
		assert.NoError(t, server.Wait())
	}()
	var line struct{ Msg, URL, Admin string }
	for log := bufio.NewScanner(stderr); line.Msg != "serving" && log.Scan(); {
		require.NoError(t, json.Unmarshal(log.Bytes(), &line))
	}
	require.Equal(t, "serving", line.Msg)
	go func() { // the log must not fill the pipe
		for log := bufio.NewScanner(stderr); log.Scan(); {
			continue
		}
	}()
	res := get(t, line.URL+"/api/v2/schemas")
	require.NoError(t, res.Body.Close())
	metrics := get(t, fmt.Sprint(line.Admin, "/metrics"))
	decoder := expfmt.NewTextParser(model.UTF8Validation)
	families, err := decoder.TextToMetricFamilies(metrics.Body)
	require.NoError(t, err)
	require.NoError(t, metrics.Body.Close())
	return families
}

func get(t *testing.T, url string) *http.Response {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, res.StatusCode)
	return res
}
