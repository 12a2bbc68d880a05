package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// settings are the flags.
type settings struct {
	root      string // directory of the module with ./cmd/datachain
	out       string
	platforms string
}

func main() {
	var s settings
	flag.StringVar(&s.root, "root", "..", "directory of the module to build")
	flag.StringVar(&s.out, "out", filepath.Join("build", "image"), "directory to write to; what an earlier build wrote there is replaced")
	flag.StringVar(&s.platforms, "platforms", "linux/amd64,linux/arm64", "platforms, separated by commas")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	digest, err := build(ctx, s)
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
	fmt.Printf("%s\n%s\n", filepath.Join(s.out, "oci"), digest)
}

// build builds the image of each platform and writes the index of all of them. It returns
// the digest of the index.
func build(ctx context.Context, s settings) (v1.Hash, error) {
	temp, err := os.MkdirTemp("", "datachain-image-")
	if err != nil {
		return v1.Hash{}, err
	}
	defer func() { _ = os.RemoveAll(temp) }() // only what this function wrote
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return v1.Hash{}, err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for name := range strings.SplitSeq(s.platforms, ",") {
		platform, err := v1.ParsePlatform(name)
		if err != nil || platform.OS != "linux" || platform.Architecture == "" {
			return v1.Hash{}, fmt.Errorf("platform %q: want linux/ARCHITECTURE, such as linux/amd64", name)
		}
		p, err := compile(ctx, s.root, temp, *platform)
		if err != nil {
			return v1.Hash{}, err
		}
		image, err := p.image()
		if err != nil {
			return v1.Hash{}, fmt.Errorf("image of %s: %w", name, err)
		}
		if err := p.writeSBOM(s.out); err != nil {
			return v1.Hash{}, fmt.Errorf("bill of materials of %s: %w", name, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: platform},
		})
	}
	return write(index, filepath.Join(s.out, "oci"))
}

// write replaces an OCI layout. Its only entry is the index of the platforms, so that
// tools find one image in it.
func write(index v1.ImageIndex, dir string) (v1.Hash, error) {
	digest, err := index.Digest()
	if err != nil {
		return v1.Hash{}, err
	}
	if err := os.RemoveAll(dir); err != nil {
		return v1.Hash{}, err
	}
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return v1.Hash{}, err
	}
	return digest, path.AppendIndex(index)
}
