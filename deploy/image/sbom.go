package main

import (
	"os"
	"path/filepath"
	"runtime/debug"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM writes the bill of materials of a program: every module that is compiled into
// it, as the go command recorded it, and the standard library.
func (p *program) writeSBOM(dir string) error {
	path := filepath.Join(dir, "datachain-"+p.platform.OS+"-"+p.platform.Architecture+".cdx.json")
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	encoder := cdx.NewBOMEncoder(f, cdx.BOMFileFormatJSON).SetPretty(true)
	if err := encoder.Encode(p.sbom()); err != nil {
		_ = f.Close() // the first error counts
		return err
	}
	return f.Close()
}

// sbom has no serial number and no time of its own, so that it is the same in every build.
func (p *program) sbom() *cdx.BOM {
	main := component(&p.info.Main)
	main.Type = cdx.ComponentTypeApplication
	main.Licenses = &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}
	std := cdx.Component{
		Type: cdx.ComponentTypeLibrary, Name: "std", Version: p.info.GoVersion,
		PackageURL: "pkg:golang/std@" + p.info.GoVersion, BOMRef: "pkg:golang/std@" + p.info.GoVersion,
	}
	components := []cdx.Component{std}
	uses := []string{std.BOMRef}
	for _, m := range p.info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component(m)
		components = append(components, c)
		uses = append(uses, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: p.created.Format("2006-01-02T15:04:05Z"), Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &uses}}
	return bom
}

// component describes a module. Its checksum is that of go.sum, which CycloneDX has no
// field for.
func component(m *debug.Module) cdx.Component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	c := cdx.Component{Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url, BOMRef: url}
	if m.Sum != "" {
		c.Properties = &[]cdx.Property{{Name: "go:sum", Value: m.Sum}}
	}
	return c
}
