// Package chart renders the Helm chart of the server.
package chart

import (
	"maps"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// Render renders the chart in a directory with some values changed, as "helm template datachain"
// does. version, unless it is empty, is that of the application.
func Render(dir, version string, values map[string]any) (string, error) {
	chart, err := loader.LoadDir(dir)
	if err != nil {
		return "", err
	}
	if err := chart.Validate(); err != nil {
		return "", err
	}
	if version != "" {
		chart.Metadata.AppVersion = version
	}
	release := chartutil.ReleaseOptions{Name: "datachain", Namespace: "datachain", IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, release, chartutil.DefaultCapabilities)
	if err != nil {
		return "", err
	}
	files, err := (engine.Engine{Strict: true}).Render(chart, all)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if text := strings.TrimSpace(files[name]); strings.HasSuffix(name, ".yaml") && text != "" {
			out.WriteString("---\n" + text + "\n")
		}
	}
	return out.String(), nil
}
