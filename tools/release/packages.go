package main

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	"github.com/goreleaser/nfpm/v2/rpm"
	"golang.org/x/crypto/x509roots/fallback/bundle"

	"github.com/datachain-go/datachain/deploy/chart"
)

const (
	home        = "https://github.com/datachain-go/datachain"
	description = "Check, publish and serve datachain documents and their taxonomies"
)

// packages writes the packages of a Linux platform. Besides an installation below /usr, they
// have the systemd unit, which is not started, and the file of its settings.
func (b *build) packages(p *program) error {
	list, err := b.installed(p)
	if err != nil {
		return err
	}
	unit, err := os.ReadFile(filepath.Join(b.src, "deploy", "systemd", "datachain.service"))
	if err != nil {
		return err
	}
	_, service, _ := strings.Cut(string(unit), "[Unit]") // without how to install it
	list = append(list, text("lib/systemd/system/datachain.service", []byte("[Unit]"+strings.ReplaceAll(service, "/usr/local/bin/", "/usr/bin/"))))
	for _, packager := range []struct {
		name string
		nfpm.Packager
	}{{"deb", deb.Default}, {"rpm", rpm.DefaultRPM}} {
		info, err := b.packageInfo(p, packager.name, list)
		if err != nil {
			return err
		}
		if err := writePackage(filepath.Join(b.out, packager.ConventionalFileName(info)), packager, info); err != nil {
			return fmt.Errorf("%s: %w", packager.name, err)
		}
	}
	return nil
}

func writePackage(path string, packager nfpm.Packager, info *nfpm.Info) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := packager.Package(info, f); err != nil {
		_ = f.Close() // the first error counts
		return err
	}
	return f.Close()
}

// packageInfo describes a package. nfpm reads its files from a directory.
func (b *build) packageInfo(p *program, kind string, list []file) (*nfpm.Info, error) {
	stage, err := os.MkdirTemp(b.temp, "package-")
	if err != nil {
		return nil, err
	}
	settings := filepath.Join(stage, "settings")
	if err := os.WriteFile(settings, []byte("# Settings of the service are environment variables; see `datachain serve --help`.\n"+
		"#DATACHAIN_STORE=/srv/taxonomies\n#DATACHAIN_ADDR=:8080\n#DATACHAIN_ADMIN_ADDR=localhost:9090\n"), 0o644); err != nil {
		return nil, err
	}
	contents := files.Contents{{
		Source: settings, Destination: "/etc/default/datachain", Type: files.TypeConfigNoReplace,
		FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: 0o644, MTime: p.created},
	}}
	for i, f := range list {
		name := "/usr/" + f.name
		if kind == "deb" { // which keeps site-functions for the administrator
			name = strings.Replace(name, "/zsh/site-functions/", "/zsh/vendor-completions/", 1)
		}
		source := filepath.Join(stage, fmt.Sprint(i))
		if err := os.WriteFile(source, f.content, 0o644); err != nil {
			return nil, err
		}
		contents = append(contents, &files.Content{
			Source: source, Destination: name,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: os.FileMode(f.mode), MTime: p.created},
		})
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "datachain", Arch: p.platform.Architecture, Platform: "linux", Version: p.info.Main.Version,
		Section: "utils", Priority: "optional", Maintainer: "The datachain authors <datachain-go@users.noreply.github.com>",
		Description: description, Vendor: "datachain-go", Homepage: home, License: "Apache-2.0", MTime: p.created,
		Overridables: nfpm.Overridables{Contents: contents, RPM: nfpm.RPM{BuildHost: "localhost", Group: "Unspecified", Summary: description}},
	})
	return info, nfpm.PrepareForPackager(info, kind)
}

// formula returns the Homebrew formula.
func (b *build) formula(hashes map[string]string) string {
	var out strings.Builder
	fmt.Fprintf(&out, `class Datachain < Formula
  desc %q
  homepage %q
  version %q
  license "Apache-2.0"
`, description, home, strings.TrimPrefix(b.version, "v"))
	for _, system := range []struct{ name, block string }{{"darwin", "on_macos"}, {"linux", "on_linux"}} {
		fmt.Fprintf(&out, "\n  %s do\n", system.block)
		for _, arch := range []struct{ name, block string }{{"amd64", "on_intel"}, {"arm64", "on_arm"}} {
			name := fmt.Sprintf("datachain-%s-%s-%s.tar.gz", strings.TrimPrefix(b.version, "v"), system.name, arch.name)
			if hash, ok := hashes[name]; ok {
				fmt.Fprintf(&out, "    %s do\n      url \"%s/releases/download/%s/%s\"\n      sha256 %q\n    end\n", arch.block, home, b.version, name, hash)
			}
		}
		out.WriteString("  end\n")
	}
	out.WriteString(`
  def install
    prefix.install "bin", "share"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/datachain version")
    system bin/"datachain", "check", "--samples"
  end
end
`)
	return out.String()
}

// node writes the npm packages and the VS Code extension.
func (b *build) node(ctx context.Context) error {
	number := strings.TrimPrefix(b.version, "v")
	if b.makes(npm) {
		for _, name := range []string{"wasm", "web"} {
			b.say("npm package in editors/%s", name)
			dir := filepath.Join(b.src, "editors", name)
			if number != "" {
				if err := b.run(ctx, dir, "npm", "pkg", "set", "version="+number); err != nil {
					return err
				}
			}
			if err := b.run(ctx, dir, "npm", "pack", "--silent", "--pack-destination", b.out); err != nil {
				return err
			}
		}
	}
	if !b.makes(vscode) {
		return nil
	}
	b.say("VS Code extension")
	at, err := b.output(ctx, b.src, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	// The marketplace takes no versions such as 1.0.0-rc.1.
	number, _, _ = strings.Cut(number, "-")
	if err := b.run(ctx, b.src, "env", "SOURCE_DATE_EPOCH="+at, "VERSION="+number, "editors/vscode/run", "package"); err != nil {
		return err
	}
	return os.Rename(filepath.Join(b.src, "editors", "vscode", "build", "datachain.vsix"), filepath.Join(b.out, "datachain-"+number+".vsix"))
}

// user is the id of the user and group that the program runs as. It is a number because
// Kubernetes can't verify that a name is not root.
const user = "65532"

// image writes the image for the Linux platforms: an OCI layout, or as part of a release a tar
// file of one, with the objects of Kubernetes that run it. The only entry of the layout is the index of the platforms, so that tools find
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
	if err := os.WriteFile(filepath.Join(b.out, "datachain-"+first.number()+"-image.tar"), content, 0o644); err != nil {
		return err
	}
	manifests, err := chart.Render(filepath.Join(b.src, "deploy", "helm", "datachain"), first.number(), nil)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, "datachain-"+first.number()+"-kubernetes.yaml"), []byte("# What the Helm chart makes with its default values. "+
		"Adapt the image, the\n# ConfigMap and the namespace, then use kubectl apply -f.\n"+manifests), 0o644)
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
		History: v1.History{Created: v1.Time{Time: p.created}, CreatedBy: "tools/release"},
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
			Entrypoint: []string{"/usr/bin/datachain-cloud"},
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
