package main

import (
	"bytes"
	"encoding/pem"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the id of the user and group that the program runs as. It is a number because
// Kubernetes can't verify that a name is not root.
const user = "65532"

// image writes the image for the Linux platforms: an OCI layout, or as part of a release a tar
// file of one. The only entry of the layout is the index of the platforms, so that tools find
// one image in it.
func (b *build) image(programs []*program) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	var first *program
	for _, p := range programs {
		if p.platform.OS != "linux" {
			continue
		}
		image, err := b.imageOf(p)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &p.platform}})
		if first == nil {
			first = p
		}
	}
	if first == nil {
		return errors.New("none of the platforms is Linux")
	}
	dir := filepath.Join(b.out, "oci")
	if b.only != images {
		dir = filepath.Join(b.temp, "oci")
	}
	out, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	if err := out.AppendIndex(index); err != nil || b.only == images {
		return err
	}
	files, err := tree(dir, "")
	if err != nil {
		return err
	}
	content, err := tarred(files, first.created)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, "datachain-"+first.number()+"-image.tar"), content, 0o644)
}

// imageOf returns the image for a platform.
func (b *build) imageOf(p *program) (v1.Image, error) {
	files, err := b.installed(p)
	if err != nil {
		return nil, err
	}
	for i := range files {
		files[i].name = "usr/" + files[i].name
	}
	content, err := tarred(append(files,
		text("etc/group", []byte("nonroot:x:"+user+":\n")),
		text("etc/passwd", []byte("nonroot:x:"+user+":"+user+"::/nonexistent:/sbin/nologin\n")),
		text("etc/ssl/certs/ca-certificates.crt", authorities()),
		file{name: "tmp/", mode: 0o1777},
	), time.Unix(0, 0))
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
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
		History: v1.History{Created: v1.Time{Time: p.created}, CreatedBy: "deploy/release"},
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
