//go:build full

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/raster"
	"github.com/datachain-go/datachain/internal/sign"
)

// addPictures gives pages pictures, and documents signs as files, if the assets have what draws
// them. Pictures of taxonomies need a base URL with a host: without one, and without documents,
// whose register can have a URL, they would not be linked.
func (p *program) addPictures(assets string, documents bool, o *explorer.Options) error {
	if assets == "" || !documents && (o.BaseURL == "" || o.BaseURL[0] == '/') {
		return nil
	}
	// A sign of A5 is the largest picture, with 300 dots per inch.
	renderer, err := p.openRaster(assets, &raster.Options{MaxBytes: 4 << 20, MaxPixels: 4_400_000, MaxMemory: 128 << 20})
	if err != nil || renderer == nil {
		return err
	}
	o.Picture, o.PictureReady = renderer.PNG, renderer.Ready
	o.Signs, err = sign.NewDrawer(os.DirFS(p.path(assets)), renderer.PNG)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // they have no fonts
	}
	if err != nil {
		return fmt.Errorf("--assets %s: %w", assets, err)
	}
	return nil
}

// openRaster opens the rasterizer of a directory of assets; nil if it has none.
func (p *program) openRaster(assets string, o *raster.Options) (*raster.Renderer, error) {
	module, err := os.ReadFile(filepath.Join(p.path(assets), raster.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // they have other things
	}
	if err != nil {
		return nil, fmt.Errorf("--assets %s: %s: %s", assets, raster.File, prose.Reason(err))
	}
	renderer, err := raster.Open(module, o)
	if err != nil {
		return nil, fmt.Errorf("--assets %s: %s: %w", assets, raster.File, err)
	}
	p.atEnd(func() { _ = renderer.Close() }) // only memory
	return renderer, nil
}

// signDrawer reads what draws signs. The rasterizer is opened when it is needed, which takes
// seconds, and has room for the largest sheet.
func (p *program) signDrawer(assets string) (sign.Drawer, error) {
	if assets == "" {
		return nil, errors.New("the fonts are missing: get them with 'make full', and name their directory with --assets, such as web/editor/dist")
	}
	var once sync.Once
	var renderer *raster.Renderer
	var failed error
	drawer, err := sign.NewDrawer(os.DirFS(p.path(assets)), func(ctx context.Context, svg []byte) ([]byte, error) {
		once.Do(func() {
			renderer, failed = p.openRaster(assets, &raster.Options{MaxImages: 1, MaxBytes: 16 << 20, MaxPixels: 20_000_000, MaxMemory: 1 << 30})
		})
		switch {
		case failed != nil:
			return nil, failed
		case renderer == nil:
			return nil, fmt.Errorf("--assets %s: %s is missing; get it with 'make full'", assets, raster.File)
		}
		return renderer.PNG(ctx, svg)
	})
	if err != nil {
		return nil, fmt.Errorf("--assets %s: %w", assets, err)
	}
	return drawer, nil
}
