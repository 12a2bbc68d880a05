//go:build full

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/metrics"
	"github.com/datachain-go/datachain/adapters/otel"
	"github.com/datachain-go/datachain/adapters/raster"
	"github.com/datachain-go/datachain/internal/serve"
)

// errNoTelemetry is why --otel can't be turned on.
var errNoTelemetry error

// export starts what --otel turns on.
func (s *settings) export(m *metrics.Metrics) (serve.Telemetry, error) {
	return otel.Start(&otel.Options{Metrics: m.Gatherer(), Version: s.Build.Version, Logger: s.Logger})
}

// addPictures gives pages pictures, if the assets have what draws them. Pictures need a
// base URL with a host: without one, they would not be linked.
func (p *program) addPictures(assets string, o *explorer.Options) error {
	if assets == "" || o.BaseURL == "" || o.BaseURL[0] == '/' {
		return nil
	}
	module, err := os.ReadFile(filepath.Join(p.path(assets), raster.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // they have other things
	}
	if err != nil {
		return fmt.Errorf("--assets %s: %s: %s", assets, raster.File, reason(err))
	}
	renderer, err := raster.Open(module, nil)
	if err != nil {
		return fmt.Errorf("--assets %s: %s: %w", assets, raster.File, err)
	}
	p.atEnd(func() { _ = renderer.Close() }) // only memory
	o.Picture = renderer.PNG
	return nil
}
