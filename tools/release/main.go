// Command release builds what a release consists of, from the last commit of a clone:
//
//		go run . -version v1.0.0 -out ../../dist
//
//	  - archives for Linux, macOS and Windows, with the program, the web assets, man pages and
//	    completions of shells
//	  - packages for Debian and RPM, and a Homebrew formula
//	  - a container image (OCI), without a container daemon, and manifests for Kubernetes
//	  - the npm packages and the VS Code extension
//	  - a bill of materials (CycloneDX) for each platform, and SHA256SUMS
//
// Two builds of the same commit with the same releases of Go and Node give the same bytes: the
// commit is cloned, so that nothing else of the directory gets in, and every file has the time
// of the commit. It needs git, and npm unless -assets names assets that were built before.
//
// The image has nothing but the static program and its assets, the certificate authorities that
// Mozilla trusts, and the accounts of the user that it runs as, who is not root. With -only image,
// it is an OCI layout. Push it with any tool that reads these, such as
//
//	crane push build/image/oci registry.example/datachain:1.0
//	skopeo copy oci:build/image/oci docker://registry.example/datachain:1.0
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"golang.org/x/mod/semver"
)

// settings are the flags.
type settings struct {
	root      string // a clone of the repository
	out       string
	version   string
	platforms string
	only      string
	assets    string
}

// The kinds of artifacts.
const (
	archives = "archives"
	packages = "packages"
	images   = "image"
	npm      = "npm"
	vscode   = "vscode"
)

func kinds() []string { return []string{archives, packages, images, npm, vscode} }

func main() {
	var s settings
	flag.StringVar(&s.root, "root", "../..", "clone of the repository; its last commit is built")
	flag.StringVar(&s.out, "out", "dist", "directory to write to, which must be empty or have an earlier release, which is replaced")
	flag.StringVar(&s.version, "version", "", "version, such as v1.0.0 (default that of the commit)")
	flag.StringVar(&s.platforms, "platforms", "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64", "platforms, separated by commas")
	flag.StringVar(&s.only, "only", strings.Join(kinds(), ","), "kinds of artifacts to build")
	flag.StringVar(&s.assets, "assets", "", "directory of web assets (default those of the commit, which are built)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := release(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release builds everything in a temporary directory, and moves the result into place.
func release(ctx context.Context, s settings) error {
	platforms, err := s.check()
	if err != nil {
		return err
	}
	if err := vacate(s.out); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "datachain-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // only what this function wrote
	b := &build{settings: s, temp: temp, src: filepath.Join(temp, "src")}
	if b.out, err = filepath.Abs(s.out); err != nil {
		return err
	}
	if err := b.clone(ctx); err != nil {
		return err
	}
	if err := b.shared(ctx); err != nil {
		return err
	}
	var programs []*program
	for _, platform := range platforms {
		b.say("%s", platform)
		p, err := b.compile(ctx, platform)
		if err != nil {
			return err
		}
		programs = append(programs, p)
		if err := b.platform(p); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	if b.makes(images) {
		if err := b.image(programs); err != nil {
			return fmt.Errorf("image: %w", err)
		}
	}
	// This changes the clone, so it comes last.
	if err := b.node(ctx); err != nil {
		return err
	}
	return b.finish()
}

// check returns the platforms.
func (s *settings) check() ([]v1.Platform, error) {
	if s.version != "" && !semver.IsValid(s.version) {
		return nil, fmt.Errorf("version %q: want a semantic version that begins with v, such as v1.0.0", s.version)
	}
	for kind := range strings.SplitSeq(s.only, ",") {
		if !slices.Contains(kinds(), kind) {
			return nil, fmt.Errorf("-only %s: want some of %s", kind, strings.Join(kinds(), ", "))
		}
	}
	var platforms []v1.Platform
	for name := range strings.SplitSeq(s.platforms, ",") {
		p, err := v1.ParsePlatform(name)
		if err != nil || p.Architecture == "" || !slices.Contains([]string{"linux", "darwin", "windows"}, p.OS) {
			return nil, fmt.Errorf("platform %q: want SYSTEM/ARCHITECTURE, such as linux/amd64", name)
		}
		platforms = append(platforms, *p)
	}
	return platforms, nil
}

func (s *settings) makes(kind string) bool {
	return slices.Contains(strings.Split(s.only, ","), kind)
}

const sums = "SHA256SUMS"

// vacate makes an empty directory. It removes an earlier release, but nothing else.
func vacate(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(dir, sums)); err != nil {
			return fmt.Errorf("-out %s: it is not empty, and has no %s of an earlier release: name another directory", dir, sums)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}

// build is a release while it is built.
type build struct {
	settings
	temp string
	src  string // the clone
	// common are the files that are the same on all platforms, below the prefix of an
	// installation such as /usr.
	common []file
}

func (*build) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "release: "+format+"\n", args...)
}

// shared collects the files that are the same on all platforms.
func (b *build) shared(ctx context.Context) error {
	dir := b.assets
	if dir == "" {
		b.say("web assets")
		dir = filepath.Join(b.temp, "assets")
		if err := b.run(ctx, b.src, filepath.Join("editors", "assets"), dir); err != nil {
			return err
		}
	}
	var err error
	if b.common, err = tree(dir, "share/datachain"); err != nil {
		return err
	}
	p, err := b.compile(ctx, v1.Platform{OS: runtime.GOOS, Architecture: runtime.GOARCH})
	if err != nil {
		return err
	}
	for _, add := range []func(context.Context, *program) ([]file, error){manPages, completions} {
		files, err := add(ctx, p)
		if err != nil {
			return err
		}
		b.common = append(b.common, files...)
	}
	licence, err := os.ReadFile(filepath.Join(b.src, "LICENSE"))
	b.common = append(b.common, text("share/doc/datachain/copyright", licence))
	return err
}

// platform writes what there is for one platform.
func (b *build) platform(p *program) error {
	if err := b.sbom(p); err != nil {
		return err
	}
	if b.makes(archives) {
		if err := b.archive(p); err != nil {
			return err
		}
	}
	if b.makes(packages) && p.platform.OS == "linux" {
		return b.packages(p)
	}
	return nil
}

// finish writes the formula, which has the checksums of archives, and the list of all checksums.
func (b *build) finish() error {
	hashes := map[string]string{}
	err := filepath.WalkDir(b.out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(b.out, path)
		hashes[filepath.ToSlash(name)] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		return err
	}
	if b.makes(archives) {
		formula := []byte(b.formula(hashes))
		hashes["datachain.rb"] = fmt.Sprintf("%x", sha256.Sum256(formula))
		if err := os.WriteFile(filepath.Join(b.out, "datachain.rb"), formula, 0o644); err != nil {
			return err
		}
	}
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(hashes)) {
		fmt.Fprintf(&list, "%s  %s\n", hashes[name], name)
	}
	return os.WriteFile(filepath.Join(b.out, sums), []byte(list.String()), 0o644)
}
