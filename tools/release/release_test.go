package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const version = "v0.0.1-test"

// settingsFor builds only the platform of the test, without what npm makes, to be quick.
func settingsFor(t *testing.T) settings {
	assets := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(assets, "editor.js"), []byte("//"), 0o600))
	return settings{
		root: filepath.Join("..", ".."), out: filepath.Join(t.TempDir(), "dist"), version: version,
		platforms: "linux/" + runtime.GOARCH, only: "archives,packages,image", assets: assets,
	}
}

// TestRelease checks that two builds, in different directories, give the same bytes, and what
// they contain.
func TestRelease(t *testing.T) {
	first, second := settingsFor(t), settingsFor(t)
	require.NoError(t, release(t.Context(), first))
	require.NoError(t, release(t.Context(), second))
	list := read(t, filepath.Join(first.out, sums))
	require.Equal(t, string(list), string(read(t, filepath.Join(second.out, sums))), "two builds give the same bytes")
	checkSums(t, first.out, string(list))

	name := "datachain-0.0.1-test-linux-" + runtime.GOARCH
	checkBOM(t, read(t, filepath.Join(first.out, name+".cdx.json")))
	unzipped, err := gzip.NewReader(bytes.NewReader(read(t, filepath.Join(first.out, name+".tar.gz"))))
	require.NoError(t, err)
	archive := untar(t, unzipped)
	for _, file := range []string{
		"LICENSE", "README.md", "CHANGELOG.md", "bin/datachain", "bin/datachain-cloud", "share/datachain/editor.js", "share/man/man1/datachain-schema-publish.1",
		"share/bash-completion/completions/datachain", "share/zsh/site-functions/_datachain", "share/fish/vendor_completions.d/datachain.fish",
	} {
		assert.NotEmpty(t, archive[name+"/"+file], file)
	}
	assert.NotContains(t, archive, name+"/share/powershell/datachain.ps1")
	assert.Contains(t, string(archive[name+"/share/man/man1/datachain-serve.1"]), "\"datachain "+version+"\"")
	assert.NotContains(t, string(archive[name+"/README.md"]), "](docs/", "there are no such files")
	assert.Contains(t, string(archive[name+"/README.md"]), "]("+home+"/blob/"+version+"/docs/install.md)")
	for _, licence := range []string{"github.com/spf13/cobra v", "std go1.", "SIL OPEN FONT LICENSE"} {
		assert.Contains(t, string(archive[name+"/share/doc/datachain/LICENSES.txt"]), licence)
	}
	checkProgram(t, "datachain", archive[name+"/bin/datachain"])
	checkProgram(t, "datachain-cloud", archive[name+"/bin/datachain-cloud"])

	image := untar(t, bytes.NewReader(read(t, filepath.Join(first.out, "datachain-0.0.1-test-image.tar"))))
	checkImage(t, image, archive[name+"/bin/datachain-cloud"])

	manifests := string(read(t, filepath.Join(first.out, "datachain-0.0.1-test-kubernetes.yaml")))
	assert.Contains(t, manifests, "\nkind: Deployment\n")
	assert.Contains(t, manifests, "image: registry.example/datachain:0.0.1-test\n")
}

func checkSums(t *testing.T, dir, list string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Equal(t, len(entries)-1, strings.Count(list, "\n"), "all files are in the list")
	for line := range strings.Lines(list) {
		hash, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sum := sha256.Sum256(read(t, filepath.Join(dir, name)))
		assert.Equal(t, hash, hex.EncodeToString(sum[:]), name)
	}
}

// checkProgram checks that a program is static and says what it was built from.
func checkProgram(t *testing.T, name string, program []byte) {
	binary, err := elf.NewFile(bytes.NewReader(program))
	require.NoError(t, err)
	for _, p := range binary.Progs {
		assert.NotEqual(t, elf.PT_INTERP, p.Type, "the program is static")
	}
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, program, 0o700))
	out, err := exec.CommandContext(t.Context(), path, "version").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), name+" "+version+" (")
	assert.Contains(t, string(out), ") "+runtime.Version())
	assert.False(t, bytes.Contains(program, []byte("datachain-release-")), "no path of this machine")
}

// checkImage checks the image in an OCI layout.
func checkImage(t *testing.T, files map[string][]byte, program []byte) {
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		if !strings.HasSuffix(name, "/") {
			require.NoError(t, os.WriteFile(path, content, 0o600))
		}
	}
	image := open(t, dir)
	require.NoError(t, validate.Image(image))
	config, err := image.ConfigFile()
	require.NoError(t, err)
	assert.Equal(t, "65532:65532", config.Config.User)
	assert.Equal(t, version, config.Config.Labels["org.opencontainers.image.version"])
	layers, err := image.Layers()
	require.NoError(t, err)
	require.Len(t, layers, 1)
	r, err := layers[0].Uncompressed()
	require.NoError(t, err)
	contents := untar(t, r)
	assert.Contains(t, string(contents["etc/ssl/certs/ca-certificates.crt"]), "BEGIN CERTIFICATE")
	assert.Equal(t, "//", string(contents["usr/share/datachain/editor.js"]))
	assert.True(t, bytes.Equal(program, contents["usr/bin/datachain-cloud"]), "the program is that of the archive")
}

// checkBOM checks that a bill of materials lists the modules of the program and the packages
// of its assets, and no others.
func checkBOM(t *testing.T, text []byte) {
	var bom cdx.BOM
	require.NoError(t, cdx.NewBOMDecoder(bytes.NewReader(text), cdx.BOMFileFormatJSON).Decode(&bom))
	names := map[string]string{}
	for _, c := range *bom.Components {
		names[c.Name] = c.Version
		assert.NotEmpty(t, c.Licenses, c.Name)
	}
	assert.Equal(t, "github.com/datachain-go/datachain/cmd", bom.Metadata.Component.Name)
	assert.Equal(t, version, names["github.com/datachain-go/datachain/pages/sign"])
	assert.Equal(t, version, bom.Metadata.Component.Version)
	assert.Equal(t, "pkg:golang/github.com/datachain-go/datachain/cmd@"+version+"?goarch="+runtime.GOARCH+"&goos=linux", bom.Metadata.Component.PackageURL)
	for _, name := range []string{"std", "github.com/spf13/cobra", "github.com/redis/go-redis/v9", "github.com/ajstarks/svgo", "codemirror"} {
		assert.NotEmpty(t, names[name], name)
	}
	assert.NotContains(t, names, "github.com/stretchr/testify")
	assert.NotContains(t, names, "typescript")
	require.Len(t, *bom.Dependencies, 1)
	assert.Len(t, *(*bom.Dependencies)[0].Dependencies, len(*bom.Components))
}

func TestSPDX(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                                  "Apache-2.0",
		"Redistribution and use in source and binary forms":                                             "BSD-2-Clause",
		"Redistribution and use in source and binary forms … may be used to endorse\nor promote":        "BSD-3-Clause",
		"Permission is hereby granted, free of charge … Licensed under the Apache License, Version 2.0": "Apache-2.0 AND MIT",
		"Creative Commons Attribution 4.0 International Public License":                                 "CC-BY-4.0",
		"All rights reserved.": "",
	} {
		assert.Equal(t, want, spdx(text))
	}
}

// TestRefused checks that nothing is built if it can't become a release, and nothing is lost.
func TestRefused(t *testing.T) {
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "mine"), nil, 0o600))
	for name, change := range map[string]func(*settings){
		"no platform":       func(s *settings) { s.platforms = "" },
		"half a platform":   func(s *settings) { s.platforms = "linux" },
		"no such system":    func(s *settings) { s.platforms = "plan9/amd64" },
		"an empty platform": func(s *settings) { s.platforms = "linux/amd64," },
		"version without v": func(s *settings) { s.version = "1.0.0" },
		"no such kind":      func(s *settings) { s.only = "snap" },
		"another directory": func(s *settings) { s.out = full },
	} {
		t.Run(name, func(t *testing.T) {
			s := settingsFor(t)
			change(&s)
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // nothing is compiled
			err := release(ctx, s)
			require.Error(t, err)
			require.NotErrorIs(t, err, context.Canceled)
		})
	}
	require.FileExists(t, filepath.Join(full, "mine"))
}

func read(t *testing.T, path string) []byte {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return text
}

// open returns the only image of the only index in an OCI layout.
func open(t *testing.T, dir string) v1.Image {
	index, err := layout.ImageIndexFromPath(dir)
	require.NoError(t, err)
	for range 2 {
		manifest, err := index.IndexManifest()
		require.NoError(t, err)
		require.Len(t, manifest.Manifests, 1)
		if manifest.Manifests[0].MediaType.IsImage() {
			image, err := index.Image(manifest.Manifests[0].Digest)
			require.NoError(t, err)
			return image
		}
		index, err = index.ImageIndex(manifest.Manifests[0].Digest)
		require.NoError(t, err)
	}
	require.Fail(t, "no image")
	return nil
}

// untar returns the files of a tar file. All have the same time and belong to root.
func untar(t *testing.T, r io.Reader) map[string][]byte {
	files := map[string][]byte{}
	var at int64 = -1
	for archive := tar.NewReader(r); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		if at < 0 {
			at = header.ModTime.Unix()
		}
		assert.Equal(t, at, header.ModTime.Unix(), header.Name)
		assert.Zero(t, header.Uid+header.Gid, header.Name)
		files[header.Name], err = io.ReadAll(archive)
		require.NoError(t, err)
	}
}
