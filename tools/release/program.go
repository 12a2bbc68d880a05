package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// program is the compiled command for a platform.
type program struct {
	path string
	// server is the same with buckets and Redis. The other fields describe it: it has what the command
	// has, and more.
	server   string
	platform v1.Platform
	info     *debug.BuildInfo
	created  time.Time         // of the commit
	licences map[string]string // of modules and std, as SPDX expressions
	notices  file              // their texts
}

// clone checks out the last commit in a directory of its own, and gives it the tag of the
// release, from which the go command takes the version that it records in programs.
func (b *build) clone(ctx context.Context) error {
	root, err := filepath.Abs(b.root)
	if err != nil {
		return err
	}
	if changes, err := b.output(ctx, root, "git", "status", "--porcelain", "--untracked-files=no"); err != nil {
		return err
	} else if changes != "" {
		b.say("the last commit is built, without the changes that are not committed")
	}
	commit, err := b.output(ctx, root, "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if err := b.run(ctx, root, "git", "clone", "--quiet", "--shared", "--no-checkout", root, b.src); err != nil {
		return err
	}
	if err := b.run(ctx, b.src, "git", "checkout", "--quiet", "--detach", commit); err != nil {
		return err
	}
	if b.version == "" {
		return nil
	}
	tag := "cmd/" + b.version // from which the go command takes the version
	tagged, err := b.output(ctx, b.src, "git", "rev-parse", "--quiet", "--verify", tag+"^{commit}")
	switch {
	case err != nil:
		return b.run(ctx, b.src, "git", "tag", "--no-sign", tag)
	case tagged != commit:
		return fmt.Errorf("the tag %s is on commit %s, but %s would be built: check out the tag, or choose another version", tag, tagged, commit)
	}
	return nil
}

// compile builds both programs. They are static and have no paths of this machine in them.
func (b *build) compile(ctx context.Context, platform v1.Platform) (*program, error) {
	dir, extension := filepath.Join(b.temp, "programs", platform.OS+"-"+platform.Architecture), ""
	if platform.OS == "windows" {
		extension = ".exe"
	}
	path, server := filepath.Join(dir, "datachain"+extension), filepath.Join(dir, "datachain-cloud"+extension)
	if _, err := os.Stat(path); err != nil { // they are compiled already for this machine
		err := b.run(ctx, b.src, "env", "CGO_ENABLED=0", "GOOS="+platform.OS, "GOARCH="+platform.Architecture,
			"go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", dir+string(filepath.Separator), "./cmd/datachain", "./cmd/datachain-cloud")
		if err != nil {
			return nil, err
		}
	}
	info, err := buildinfo.ReadFile(server)
	if err != nil {
		return nil, err
	}
	for _, m := range info.Deps {
		if m.Version == "(devel)" { // a module of the clone, with the version of the command
			m.Version = info.Main.Version
		}
	}
	p := &program{path: path, server: server, platform: platform, info: info}
	if b.version != "" && info.Main.Version != b.version {
		return nil, fmt.Errorf("%s has the version %s instead of %s", server, info.Main.Version, b.version)
	}
	if p.created, err = time.Parse(time.RFC3339, p.setting("vcs.time")); err != nil {
		return nil, err
	}
	return p, b.licences(ctx, p)
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

// number returns the version without v, as packages write it.
func (p *program) number() string { return strings.TrimPrefix(p.info.Main.Version, "v") }

// name returns the beginning of names of files for the platform.
func (p *program) name() string {
	return "datachain-" + p.number() + "-" + p.platform.OS + "-" + p.platform.Architecture
}

// run runs a command. Its output is part of the log.
func (b *build) run(ctx context.Context, dir, name string, args ...string) error {
	cmd := b.command(ctx, dir, name, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// output returns what a command prints.
func (b *build) output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := b.command(ctx, dir, name, args...)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, problem.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}

// command has an environment without settings of this machine that change what is built. The modules
// of the clone use one another by its go.work.
func (*build) command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOFLAGS=", "GOWORK=", "GOAMD64=", "GOARM64=", "GOEXPERIMENT=", "LC_ALL=C", "TZ=UTC")
	return cmd
}

// sbom writes the bill of materials of a platform: every module that is compiled into the
// program, as the go command recorded it, the standard library, and the npm packages that web
// assets are made of.
func (b *build) sbom(p *program) error {
	bom, err := b.materials(p)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(b.out, p.name()+".cdx.json"))
	if err != nil {
		return err
	}
	if err := cdx.NewBOMEncoder(f, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		_ = f.Close() // the first error counts
		return err
	}
	return f.Close()
}

// materials has no serial number and no time of its own, so that it is the same in every build.
func (b *build) materials(p *program) (*cdx.BOM, error) {
	main := module(&p.info.Main)
	main.Type = cdx.ComponentTypeApplication
	main.PackageURL += "?goarch=" + p.platform.Architecture + "&goos=" + p.platform.OS
	main.BOMRef = main.PackageURL
	main.Properties = &[]cdx.Property{{Name: "cdx:gomod:build:env:GOARCH", Value: p.platform.Architecture}, {Name: "cdx:gomod:build:env:GOOS", Value: p.platform.OS}}
	main.Licenses = &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}
	var components []cdx.Component
	for _, m := range append([]*debug.Module{{Path: "std", Version: p.info.GoVersion}}, p.info.Deps...) {
		licence := p.licences[m.Path]
		if m.Replace != nil {
			m = m.Replace
		}
		c := module(m)
		c.Licenses = &cdx.Licenses{{Expression: licence}}
		components = append(components, c)
	}
	list, err := npmPackages(filepath.Join(b.src, "editors", "web", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	components = append(components, list...)
	var uses []string
	for _, c := range components {
		uses = append(uses, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: p.created.UTC().Format("2006-01-02T15:04:05Z"), Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &uses}}
	return bom, nil
}

// module describes a Go module. Its checksum is that of go.sum, which CycloneDX has no field
// for.
func module(m *debug.Module) cdx.Component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	c := cdx.Component{Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url, BOMRef: url}
	if m.Sum != "" {
		c.Properties = &[]cdx.Property{{Name: "go:sum", Value: m.Sum}}
	}
	return c
}

// npmPackages describes the packages of a lockfile, without the tools that build with them.
func npmPackages(path string) ([]cdx.Component, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity, License string }
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		return nil, err
	}
	var list []cdx.Component
	for key, p := range lock.Packages {
		name := strings.TrimPrefix(key, "node_modules/")
		if name == "" || name == "typescript" || name == "esbuild" || strings.HasPrefix(name, "@esbuild/") {
			continue
		}
		url := "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version
		c := cdx.Component{Type: cdx.ComponentTypeLibrary, Name: name, Version: p.Version, PackageURL: url, BOMRef: url}
		c.Properties = &[]cdx.Property{{Name: "npm:integrity", Value: p.Integrity}}
		if p.License != "" {
			c.Licenses = &cdx.Licenses{{Expression: p.License}}
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b cdx.Component) int { return strings.Compare(a.BOMRef, b.BOMRef) })
	return list, nil
}
