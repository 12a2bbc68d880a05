package main

import (
	"archive/tar"
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the id of the user and group that the program runs as. It is a number because
// Kubernetes can't verify that a name is not root.
const user = "65532"

// program is the compiled command for a platform.
type program struct {
	path     string
	platform v1.Platform
	info     *debug.BuildInfo
	created  time.Time
}

// compile builds the command into a directory. The program is static and has no paths of
// this machine in it.
func compile(ctx context.Context, root, dir string, platform v1.Platform) (*program, error) {
	path := filepath.Join(dir, "datachain-"+platform.OS+"-"+platform.Architecture)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=auto", "-ldflags=-s -w -buildid=", "-o", path, "./cmd/datachain")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0", "GOOS="+platform.OS, "GOARCH="+platform.Architecture, "GOFLAGS=", "GOWORK=off")
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("build ./cmd/datachain in %s for %s: %w", root, platform, err)
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &program{path: path, platform: platform, info: info}
	p.created, err = p.time()
	return p, err
}

// time returns SOURCE_DATE_EPOCH, the time of the commit that was built, or the epoch.
func (p *program) time() (time.Time, error) {
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q, must be seconds since 1970", text)
		}
		return time.Unix(seconds, 0).UTC(), nil
	}
	if text := p.setting("vcs.time"); text != "" {
		return time.Parse(time.RFC3339, text)
	}
	return time.Unix(0, 0).UTC(), nil
}

// setting returns a build setting that the go command recorded, or "".
func (p *program) setting(key string) string {
	for _, s := range p.info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// image returns the image with the program.
func (p *program) image() (v1.Image, error) {
	files, err := p.files()
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(files)), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.ConfigFile(image, p.config())
	if err != nil {
		return nil, err
	}
	return mutate.Append(image, mutate.Addendum{
		Layer:   layer,
		History: v1.History{Created: v1.Time{Time: p.created}, CreatedBy: "deploy/image"},
	})
}

// config returns how the program is run. The addresses are those that probes and
// manifests expect; everything else is left to its default.
func (p *program) config() *v1.ConfigFile {
	return &v1.ConfigFile{
		OS: p.platform.OS, Architecture: p.platform.Architecture, Variant: p.platform.Variant,
		Created: v1.Time{Time: p.created},
		RootFS:  v1.RootFS{Type: "layers"},
		Config: v1.Config{
			User:       user + ":" + user,
			Entrypoint: []string{"/usr/bin/datachain"},
			Cmd:        []string{"serve"},
			WorkingDir: "/",
			Env: []string{
				"PATH=/usr/bin", "HOME=/nonexistent",
				"DATACHAIN_ADDR=:8080", "DATACHAIN_ADMIN_ADDR=:9090", "DATACHAIN_LOG_FORMAT=json",
			},
			ExposedPorts: map[string]struct{}{"8080/tcp": {}},
			StopSignal:   "SIGTERM",
			Labels: map[string]string{
				"org.opencontainers.image.title":       "datachain",
				"org.opencontainers.image.description": "Serves taxonomies, and validates and resolves datachain documents",
				"org.opencontainers.image.source":      "https://github.com/datachain-go/datachain",
				"org.opencontainers.image.licenses":    "Apache-2.0",
				"org.opencontainers.image.version":     p.info.Main.Version,
				"org.opencontainers.image.revision":    p.setting("vcs.revision"),
				"org.opencontainers.image.created":     p.created.Format(time.RFC3339),
			},
		},
	}
}

// file is a file or, if it has no content, a directory of the image.
type file struct {
	name    string
	mode    int64
	content []byte
}

// files returns the tar file of the only layer.
func (p *program) files() ([]byte, error) {
	binary, err := os.ReadFile(p.path)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range []file{
		{name: "etc/", mode: 0o755},
		{name: "etc/group", mode: 0o644, content: []byte("nonroot:x:" + user + ":\n")},
		{name: "etc/passwd", mode: 0o644, content: []byte("nonroot:x:" + user + ":" + user + "::/nonexistent:/sbin/nologin\n")},
		{name: "etc/ssl/", mode: 0o755},
		{name: "etc/ssl/certs/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: authorities()},
		{name: "tmp/", mode: 0o1777},
		{name: "usr/", mode: 0o755},
		{name: "usr/bin/", mode: 0o755},
		{name: "usr/bin/datachain", mode: 0o755, content: binary},
	} {
		header := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.content)), Typeflag: tar.TypeReg, ModTime: time.Unix(0, 0)}
		if f.content == nil {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}

// authorities returns the certificates of the authorities that Mozilla trusts, without
// those that it trusts only under conditions a file can't express.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a Buffer does not fail
		}
	}
	return out.Bytes()
}
