package main

import (
	"archive/tar"
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// settingsFor builds only the platform of the test, to be quick.
func settingsFor(t *testing.T) settings {
	return settings{root: filepath.Join("..", ".."), out: t.TempDir(), platforms: "linux/" + runtime.GOARCH}
}

// TestBuild checks that two builds give the same bytes, and what is in the image.
func TestBuild(t *testing.T) {
	first, second := settingsFor(t), settingsFor(t)
	digest, err := build(t.Context(), first)
	require.NoError(t, err)
	again, err := build(t.Context(), second)
	require.NoError(t, err)
	require.Equal(t, digest, again, "two builds give the same digest")
	name := "datachain-linux-" + runtime.GOARCH + ".cdx.json"
	bom := read(t, filepath.Join(first.out, name))
	assert.Equal(t, bom, read(t, filepath.Join(second.out, name)), "and the same bill of materials")

	image := open(t, filepath.Join(first.out, "oci"), digest)
	require.NoError(t, validate.Image(image))
	config, err := image.ConfigFile()
	require.NoError(t, err)
	assert.Equal(t, "65532:65532", config.Config.User)
	assert.Equal(t, "Apache-2.0", config.Config.Labels["org.opencontainers.image.licenses"])

	files := contents(t, image)
	assert.Contains(t, string(files["etc/ssl/certs/ca-certificates.crt"]), "BEGIN CERTIFICATE")
	checkProgram(t, files["usr/bin/datachain"])
	checkBOM(t, bom)
}

// checkProgram checks that a program is static and runs.
func checkProgram(t *testing.T, program []byte) {
	binary, err := elf.NewFile(bytes.NewReader(program))
	require.NoError(t, err)
	for _, p := range binary.Progs {
		assert.NotEqual(t, elf.PT_INTERP, p.Type, "the program is static")
	}
	path := filepath.Join(t.TempDir(), "datachain")
	require.NoError(t, os.WriteFile(path, program, 0o700))
	out, err := exec.CommandContext(t.Context(), path, "version").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.NotContains(t, string(program), "/deploy/image", "no path of this machine")
}

// checkBOM checks that a bill of materials lists the modules of the program, and no
// others.
func checkBOM(t *testing.T, text []byte) {
	var bom cdx.BOM
	require.NoError(t, cdx.NewBOMDecoder(bytes.NewReader(text), cdx.BOMFileFormatJSON).Decode(&bom))
	names := map[string]string{}
	for _, c := range *bom.Components {
		names[c.Name] = c.Version
	}
	assert.Equal(t, "github.com/datachain-go/datachain", bom.Metadata.Component.Name)
	assert.Contains(t, names, "std")
	assert.Contains(t, names, "github.com/spf13/cobra")
	assert.NotContains(t, names, "github.com/stretchr/testify")
	require.Len(t, *bom.Dependencies, 1)
	assert.Len(t, *(*bom.Dependencies)[0].Dependencies, len(*bom.Components))
}

// TestPlatform checks that a platform that can't be built is refused before building.
func TestPlatform(t *testing.T) {
	for _, platforms := range []string{"", "linux", "windows/amd64", "linux/amd64,"} {
		s := settingsFor(t)
		s.platforms = platforms
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // nothing is compiled
		_, err := build(ctx, s)
		require.Error(t, err, platforms)
	}
}

func read(t *testing.T, path string) []byte {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return text
}

// open returns the only image of the index in an OCI layout.
func open(t *testing.T, dir string, digest v1.Hash) v1.Image {
	all, err := layout.ImageIndexFromPath(dir)
	require.NoError(t, err)
	index, err := all.ImageIndex(digest)
	require.NoError(t, err)
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	require.Len(t, manifest.Manifests, 1)
	image, err := index.Image(manifest.Manifests[0].Digest)
	require.NoError(t, err)
	return image
}

// contents returns the files of the layers.
func contents(t *testing.T, image v1.Image) map[string][]byte {
	layers, err := image.Layers()
	require.NoError(t, err)
	files := map[string][]byte{}
	for _, layer := range layers {
		r, err := layer.Uncompressed()
		require.NoError(t, err)
		for archive := tar.NewReader(r); ; {
			header, err := archive.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			assert.Zero(t, header.ModTime.Unix(), header.Name)
			files[header.Name], err = io.ReadAll(archive)
			require.NoError(t, err)
		}
		require.NoError(t, r.Close())
	}
	return files
}
