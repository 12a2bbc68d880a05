//go:build full

package raster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"unicode/utf8"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// instance is an instance of the module, which draws one image at a time.
type instance struct {
	module api.Module
	values []any // see value
}

// keptMemory is what an instance may hold when it is kept: memory never shrinks.
const keptMemory = 16 << 20

var errNotText = errors.New("the SVG is not valid UTF-8")

func (r *Renderer) instantiate(ctx context.Context) (*instance, error) {
	module, err := r.runtime.InstantiateModule(ctx, r.module, wazero.NewModuleConfig().WithName("")) // without a name there can be several
	if err != nil {
		return nil, err
	}
	return &instance{module: module}, nil
}

// grown reports whether the instance holds too much memory to be kept.
func (in *instance) grown() bool { return in.module.Memory().Size() > keptMemory }

func (in *instance) close() { _ = in.module.Close(context.Background()) } // only memory

// draw draws an image. After an error the instance must not be used again.
func (in *instance) draw(ctx context.Context, svg []byte, maxPixels int) ([]byte, error) {
	if !utf8.Valid(svg) {
		return nil, errNotText
	}
	ctx = context.WithValue(ctx, instanceKey{}, in)
	in.values = in.values[:0]
	tree, err := in.result(ctx, "resvg_new", in.add(string(svg)), 0, 0, 0) // without options and fonts
	if err != nil {
		return nil, err
	}
	if err := in.measure(ctx, tree, maxPixels); err != nil {
		return nil, err
	}
	drawing, err := in.result(ctx, "resvg_render", tree)
	if err != nil {
		return nil, err
	}
	pixels, err := in.pixels(ctx, drawing)
	if err != nil {
		return nil, err
	}
	if _, err := in.call(ctx, "__wbg_renderedimage_free", drawing); err != nil {
		return nil, err
	}
	if _, err = in.call(ctx, "__wbg_resvg_free", tree); err != nil {
		return nil, err
	}
	// Encoding here takes a fraction of the time that the module takes for it.
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, pixels)
	return b.Bytes(), err
}

// pixels returns what was drawn.
func (in *instance) pixels(ctx context.Context, drawing uint64) (*image.RGBA, error) {
	width, err := in.call(ctx, "renderedimage_width", drawing)
	if err != nil {
		return nil, err
	}
	height, err := in.call(ctx, "renderedimage_height", drawing)
	if err != nil {
		return nil, err
	}
	n, err := in.call(ctx, "renderedimage_pixels", drawing)
	if err != nil {
		return nil, err
	}
	size := image.Rect(0, 0, int(width), int(height))
	pix, _ := in.value(n).([]byte)
	if want := 4 * size.Dx() * size.Dy(); len(pix) != want {
		return nil, fmt.Errorf("the module returned %d bytes of pixels instead of %d", len(pix), want)
	}
	return &image.RGBA{Pix: pix, Stride: 4 * size.Dx(), Rect: size}, nil
}

// measure refuses an image with too many pixels before it is drawn.
func (in *instance) measure(ctx context.Context, tree uint64, maxPixels int) error {
	width, err := in.call(ctx, "resvg_width", tree)
	if err != nil {
		return err
	}
	height, err := in.call(ctx, "resvg_height", tree)
	if err != nil {
		return err
	}
	if w, h := float64(api.DecodeF32(width)), float64(api.DecodeF32(height)); !(w*h <= float64(maxPixels)) { // NaN is too large, too
		return fmt.Errorf("%w: %.0f by %.0f pixels, at most %d pixels are drawn", ErrTooLarge, w, h, maxPixels)
	}
	return nil
}

// call calls a function of the module that returns at most one value.
func (in *instance) call(ctx context.Context, name string, args ...uint64) (uint64, error) {
	results, err := in.module.ExportedFunction(name).Call(ctx, args...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return results[0], nil
}

// result calls a function that returns a value or an error through memory: the value, the
// error, and whether there is one.
func (in *instance) result(ctx context.Context, name string, args ...uint64) (uint64, error) {
	const room = 16
	at, err := in.call(ctx, "__wbindgen_add_to_stack_pointer", api.EncodeI32(-room))
	if err != nil {
		return 0, err
	}
	if _, err := in.call(ctx, name, append([]uint64{at}, args...)...); err != nil {
		return 0, err
	}
	memory := in.module.Memory()
	value, _ := memory.ReadUint32Le(uint32(at))
	failed, _ := memory.ReadUint32Le(uint32(at) + 4)
	isError, ok := memory.ReadUint32Le(uint32(at) + 8)
	if !ok {
		return 0, errors.New("the module returned an address outside of its memory")
	}
	if isError != 0 {
		return 0, fmt.Errorf("the SVG can't be drawn: %v", in.value(uint64(failed)))
	}
	_, err = in.call(ctx, "__wbindgen_add_to_stack_pointer", room)
	return uint64(value), err
}
