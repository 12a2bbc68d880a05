//go:build full

package raster

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"runtime"
	"sync"
	"unicode/utf8"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// File is the name of the module in the directory of assets.
const File = "resvg.wasm"

// moduleHash is the SHA-256 of index_bg.wasm of @resvg/resvg-wasm 2.6.2.
const moduleHash = "22bf6e9f9a100d972da0411a69c5ba504367fc1fa87b3b64e3f35e53926d2d70"

// Errors of [Open] and [Renderer.PNG].
var (
	// ErrModule means that the module is not the one that this package knows.
	ErrModule = errors.New("not the module of @resvg/resvg-wasm 2.6.2")
	// ErrTooLarge means that an image has more bytes or more pixels than allowed.
	ErrTooLarge = errors.New("image too large")
)

// Options configure a renderer. Nil and the zero value mean the defaults.
type Options struct {
	// MaxImages limits the images that are drawn at the same time; others wait. 0
	// means one fewer than there are processors, but at least 1. Each takes a few
	// megabytes of memory, which are kept for the next image.
	MaxImages int
	// MaxBytes is the size of the largest SVG that is drawn; 0 means 1 MiB.
	MaxBytes int
	// MaxPixels is the size of the largest PNG; 0 means 2 million pixels.
	MaxPixels int
	// MaxMemory limits the memory for one image in bytes; 0 means 64 MiB. WebAssembly
	// has at most 4 GiB.
	MaxMemory int
}

// Renderer draws images. It is safe for concurrent use. Make one with [Open].
type Renderer struct {
	Options
	runtime wazero.Runtime
	// compile begins to compile the source. module and failed are set when compiled is
	// closed, which stop hastens.
	compile  func()
	module   wazero.CompiledModule
	failed   error
	compiled chan struct{}
	stop     context.CancelFunc
	// instances has a value for each image that may be drawn: an instance, or nil if
	// one has to be made. An instance draws one image at a time.
	instances chan *instance
}

// Sizes of WebAssembly.
const (
	pageSize  = 1 << 16
	maxMemory = 1 << 32
)

// Open checks the module, which [Renderer.Ready] or the first image compiles. The module must
// not be changed afterwards. Close the renderer when it is no longer needed.
func Open(module []byte, o *Options) (*Renderer, error) {
	return open(module, o, wazero.NewRuntimeConfig())
}

func open(module []byte, o *Options, c wazero.RuntimeConfig) (*Renderer, error) {
	r := new(Renderer)
	if o != nil {
		r.Options = *o
	}
	if min(r.MaxImages, r.MaxBytes, r.MaxPixels, r.MaxMemory) < 0 {
		return nil, errors.New("raster: MaxImages, MaxBytes, MaxPixels and MaxMemory must not be negative")
	}
	if int64(r.MaxMemory) > maxMemory {
		return nil, fmt.Errorf("raster: MaxMemory must be at most %d, which is 4 GiB, but is %d", int64(maxMemory), r.MaxMemory)
	}
	r.MaxImages = cmp.Or(r.MaxImages, max(1, runtime.GOMAXPROCS(0)-1))
	r.MaxBytes = cmp.Or(r.MaxBytes, 1<<20)
	r.MaxPixels = cmp.Or(r.MaxPixels, 2_000_000)
	r.MaxMemory = cmp.Or(r.MaxMemory, 64<<20)
	if sum := sha256.Sum256(module); hex.EncodeToString(sum[:]) != moduleHash {
		return nil, fmt.Errorf("raster: %w: its SHA-256 is %x, want %s; get it with 'make full'", ErrModule, sum, moduleHash)
	}
	ctx := context.Background()
	r.runtime = wazero.NewRuntimeWithConfig(ctx, c.WithCloseOnContextDone(true).WithMemoryLimitPages(uint32(max(1, r.MaxMemory/pageSize))))
	if err := provide(ctx, r.runtime); err != nil {
		return nil, errors.Join(fmt.Errorf("raster: %w", err), r.runtime.Close(ctx))
	}
	r.instances = make(chan *instance, r.MaxImages)
	for range r.MaxImages {
		r.instances <- nil
	}
	r.compiled = make(chan struct{})
	ctx, r.stop = context.WithCancel(experimental.WithCompilationWorkers(ctx, 2)) // one could not be stopped
	r.compile = sync.OnceFunc(func() {
		go func() {
			defer close(r.compiled)
			r.module, r.failed = r.runtime.CompileModule(ctx, module)
		}()
	})
	return r, nil
}

// Ready compiles the module, which takes a few seconds of CPU time, or waits until it is compiled.
// Images wait for it, too: a server can call it once it has started. What was compiled is not kept
// in a file: it is machine code, and a damaged file would end the process. Compiling goes on if ctx
// ends before.
func (r *Renderer) Ready(ctx context.Context) error {
	r.compile()
	select {
	case <-r.compiled:
		if r.failed != nil {
			return fmt.Errorf("raster: compile the module: %w", r.failed)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close releases the memory of the renderer. Images that are being drawn, or wait until the module
// is compiled, fail.
func (r *Renderer) Close() error {
	r.stop()
	r.compile() // which ends at once
	<-r.compiled
	return r.runtime.Close(context.Background())
}

// PNG draws an image in the size that its width and height say. It returns the error of
// ctx if that ends before the image is drawn.
func (r *Renderer) PNG(ctx context.Context, svg []byte) ([]byte, error) {
	if len(svg) > r.MaxBytes {
		return nil, fmt.Errorf("raster: %w: %d bytes, at most %d are drawn", ErrTooLarge, len(svg), r.MaxBytes)
	}
	in, err := r.take(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { r.instances <- in }()
	if in == nil {
		if in, err = r.instantiate(ctx); err != nil {
			return nil, failure(ctx, err)
		}
	}
	png, err := in.draw(ctx, svg, r.MaxPixels)
	if err != nil || in.grown() {
		in.close() // what it holds is unknown, or too much
		in = nil
	}
	if err != nil {
		return nil, failure(ctx, err)
	}
	return png, nil
}

// take returns one of the instances, or nil, once the module is compiled and one is free.
func (r *Renderer) take(ctx context.Context) (*instance, error) {
	if err := r.Ready(ctx); err != nil {
		return nil, err
	}
	select {
	case in := <-r.instances:
		return in, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// failure returns an error of the module, or that of the context if it has ended.
func failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("raster: %w", err)
}

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

// The module was made for JavaScript: it refers to values of its host by number, and
// imports functions that make and use them. Those that only fonts and images need are not
// called, since there are none.

// firstValue is the number of the first value; lower ones are constants of JavaScript.
const firstValue = 132

// memory stands for the memory of the module and for its buffer, and window for an array
// over a part of it.
type (
	memory struct{}
	window struct{ at, size uint32 }
)

// add returns the number of a value.
func (in *instance) add(v any) uint64 {
	in.values = append(in.values, v)
	return uint64(len(in.values) - 1 + firstValue)
}

// value returns the value with a number, or nil.
func (in *instance) value(n uint64) any {
	if i := int(uint32(n)) - firstValue; i >= 0 && i < len(in.values) {
		return in.values[i]
	}
	return nil
}

// read returns a copy of a part of the memory.
func (in *instance) read(at, size uint64) []byte {
	part, ok := in.module.Memory().Read(uint32(at), uint32(size))
	if !ok {
		panic(fmt.Errorf("the module has no memory at %d", at))
	}
	return append([]byte(nil), part...)
}

// passText copies a text into the memory, and writes its address and its length there.
func (in *instance) passText(ctx context.Context, to, n uint64) {
	text, ok := in.value(n).(string)
	var at uint64
	if ok {
		var err error
		if at, err = in.call(ctx, "__wbindgen_malloc", uint64(len(text)), 1); err != nil {
			panic(err)
		}
	}
	m := in.module.Memory()
	if !m.WriteString(uint32(at), text) || !m.WriteUint32Le(uint32(to), uint32(at)) || !m.WriteUint32Le(uint32(to)+4, uint32(len(text))) {
		panic(fmt.Errorf("the module has no memory at %d", at))
	}
}

// instanceKey is the key of the instance in the context of a call.
type instanceKey struct{}

// function is an imported function: a and the result are its parameters and its result, if
// it has one.
type function struct {
	name    string
	params  int
	returns bool
	call    func(ctx context.Context, in *instance, a []uint64) uint64
}

// imports lists the functions. The numbers in their names are those of this version of the
// module.
func imports() []function {
	list := []function{
		{"__wbindgen_object_drop_ref", 1, false, func(_ context.Context, in *instance, a []uint64) uint64 {
			if i := int(uint32(a[0])) - firstValue; i >= 0 && i < len(in.values) {
				in.values[i] = nil
			}
			return 0
		}},
		{"__wbindgen_string_get", 2, false, func(ctx context.Context, in *instance, a []uint64) uint64 {
			in.passText(ctx, a[0], a[1])
			return 0
		}},
		{"__wbindgen_string_new", 2, true, func(_ context.Context, in *instance, a []uint64) uint64 {
			return in.add(string(in.read(a[0], a[1])))
		}},
		{"__wbg_new_28c511d9baebfa89", 2, true, func(_ context.Context, in *instance, a []uint64) uint64 { // Error
			return in.add(string(in.read(a[0], a[1])))
		}},
		{"__wbindgen_throw", 2, false, func(_ context.Context, in *instance, a []uint64) uint64 {
			panic(fmt.Errorf("the module failed: %s", in.read(a[0], a[1])))
		}},
		{"__wbindgen_memory", 0, true, func(_ context.Context, in *instance, _ []uint64) uint64 { return in.add(memory{}) }},
		{"__wbg_buffer_12d079cc21e14bdb", 1, true, func(_ context.Context, in *instance, a []uint64) uint64 {
			return in.add(in.value(a[0]))
		}},
		{"__wbg_newwithbyteoffsetandlength_aa4a17c33a06e5cb", 3, true, func(_ context.Context, in *instance, a []uint64) uint64 {
			return in.add(window{uint32(a[1]), uint32(a[2])})
		}},
		{"__wbg_new_63b92bc8671ed464", 1, true, func(_ context.Context, in *instance, a []uint64) uint64 { // Uint8Array, a copy
			w, ok := in.value(a[0]).(window)
			if !ok {
				panic(fmt.Errorf("the module copies a %T", in.value(a[0])))
			}
			return in.add(in.read(uint64(w.at), uint64(w.size)))
		}},
		{"__wbg_instanceof_Uint8Array_2b3bbecd033d19f6", 1, true, func(_ context.Context, in *instance, a []uint64) uint64 {
			_, ok := in.value(a[0]).([]byte)
			return api.EncodeI32(map[bool]int32{true: 1}[ok])
		}},
	}
	for _, f := range []function{
		{name: "__wbg_values_839f3396d5aac002", params: 1, returns: true},
		{name: "__wbg_next_196c84450b364254", params: 1, returns: true},
		{name: "__wbg_done_298b57d23c0fc80c", params: 1, returns: true},
		{name: "__wbg_value_d93c65011f51a456", params: 1, returns: true},
		{name: "__wbg_new_16b304a2cfa7ff4a", returns: true},
		{name: "__wbg_push_a5b05aedc7234f9f", params: 2, returns: true},
		{name: "__wbg_length_c20a40f15020d68a", params: 1, returns: true},
		{name: "__wbg_set_a47bac70306a19a7", params: 3},
	} {
		f.call = func(context.Context, *instance, []uint64) uint64 { panic(fmt.Errorf("the module calls %s", f.name)) }
		list = append(list, f)
	}
	return list
}

// provide makes the functions known to a runtime. A panic in one of them is an error of the
// call of the module.
func provide(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder("wbg")
	for _, f := range imports() {
		params := make([]api.ValueType, f.params)
		for i := range params {
			params[i] = api.ValueTypeI32
		}
		var results []api.ValueType
		if f.returns {
			results = []api.ValueType{api.ValueTypeI32}
		}
		b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
			in, _ := ctx.Value(instanceKey{}).(*instance)
			result := f.call(ctx, in, stack[:f.params])
			if f.returns {
				stack[0] = result
			}
		}), params, results).Export(f.name)
	}
	_, err := b.Instantiate(ctx)
	return err
}
