//go:build full

package raster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
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
