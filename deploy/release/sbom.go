package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

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
	for _, dir := range []string{"editor", "raster"} {
		list, err := npmPackages(filepath.Join(b.src, "web", dir, "package-lock.json"))
		if err != nil {
			return nil, err
		}
		components = append(components, list...)
	}
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
