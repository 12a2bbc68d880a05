package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// file is a file or, if it has no content, a directory, whose name ends with a slash.
type file struct {
	name    string
	mode    int64
	content []byte
}

// text returns a file that anyone can read.
func text(name string, content []byte) file { return file{name: name, mode: 0o644, content: content} }

// tree returns the files below a directory.
func tree(dir, prefix string) ([]file, error) {
	var files []file
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		files = append(files, text(path.Join(prefix, name), content))
		return err
	})
	return files, err
}

// installed returns the files of an installation below its prefix, such as /usr.
func (b *build) installed(p *program) ([]file, error) {
	files := append([]file{p.notices}, b.common...)
	for _, path := range []string{p.path, p.server} {
		binary, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "bin/" + filepath.Base(path), mode: 0o755, content: binary})
	}
	return slices.DeleteFunc(files, func(f file) bool {
		return strings.HasPrefix(f.name, "share/powershell/") && p.platform.OS != "windows"
	}), nil
}

// archive writes the archive of a platform: an installation, in a directory with its name.
func (b *build) archive(p *program) error {
	files, err := b.installed(p)
	if err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join(b.src, name))
		if err != nil {
			return err
		}
		files = append(files, text(name, localLink.ReplaceAll(content, []byte("]("+home+"/blob/"+p.info.Main.Version+"/$1)"))))
	}
	for i := range files {
		files[i].name = p.name() + "/" + files[i].name
	}
	pack, extension := gzipped, ".tar.gz"
	if p.platform.OS == "windows" {
		pack, extension = zipped, ".zip"
	}
	content, err := pack(files, p.created)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, p.name()+extension), content, 0o644)
}

// localLink is a link of a page to a file of the repository, most of which an archive does not have.
var localLink = regexp.MustCompile(`\]\(([A-Za-z][^):]*)\)`)

// sorted returns files by name, with their directories before them.
func sorted(files []file) []file {
	all := slices.Clone(files)
	seen := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(path.Clean(f.name)); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			if !slices.ContainsFunc(files, func(f file) bool { return f.name == dir+"/" }) {
				all = append(all, file{name: dir + "/", mode: 0o755})
			}
		}
	}
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all
}

// tarred returns a tar file in which everything has one time and belongs to root.
func tarred(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range sorted(files) {
		header := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.content)), Typeflag: tar.TypeReg, ModTime: at}
		if strings.HasSuffix(f.name, "/") {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func gzipped(files []file, at time.Time) ([]byte, error) {
	content, err := tarred(files, at)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out) // without a name and a time
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func zipped(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range sorted(files) {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		header.SetMode(fs.FileMode(f.mode))
		if strings.HasSuffix(f.name, "/") {
			header.SetMode(fs.FileMode(f.mode) | fs.ModeDir)
			header.Method = zip.Store
		}
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// says returns what the program prints.
func (p *program) says(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Env = []string{ // no settings of this machine
		"HOME=" + os.TempDir(), "TZ=UTC", fmt.Sprintf("SOURCE_DATE_EPOCH=%d", p.created.Unix()),
	}
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("datachain %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

// completions returns the completions of shells, where these look for them.
func completions(ctx context.Context, p *program) ([]file, error) {
	var files []file
	for shell, name := range map[string]string{
		"bash": "share/bash-completion/completions/datachain", "zsh": "share/zsh/site-functions/_datachain",
		"fish": "share/fish/vendor_completions.d/datachain.fish", "powershell": "share/powershell/datachain.ps1",
	} {
		script, err := p.says(ctx, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, text(name, script))
	}
	return files, nil
}

// licences reads the licences of what is compiled into a program: the Go release and modules, which
// differ between platforms, and fonts.
func (b *build) licences(ctx context.Context, p *program) error {
	list, err := b.output(ctx, b.src, "go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}", "all")
	if err != nil {
		return err
	}
	dirs := map[string]string{}
	if dirs["std"], err = b.output(ctx, b.src, "go", "env", "GOROOT"); err != nil {
		return err
	}
	for line := range strings.Lines(list) {
		name, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		dirs[name] = dir
	}
	var out bytes.Buffer
	p.licences = map[string]string{}
	for _, m := range append([]*debug.Module{{Path: "std", Version: p.info.GoVersion}}, p.info.Deps...) {
		if strings.HasPrefix(m.Path, "github.com/datachain-go/datachain") { // under the licence of the program
			p.licences[m.Path] = "Apache-2.0"
			continue
		}
		names, err := filepath.Glob(filepath.Join(dirs[m.Path], "[LNC][IOE][CTP][EIY]*"))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s %s\n\n", m.Path, m.Version)
		var all []byte
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			all = append(all, content...)
			fmt.Fprintf(&out, "%s\n\n", content)
		}
		if p.licences[m.Path] = spdx(string(all)); p.licences[m.Path] == "" {
			return fmt.Errorf("module %s: no known licence was found in %q", m.Path, dirs[m.Path])
		}
	}
	fonts, err := os.ReadFile(filepath.Join(b.src, "pages", "sign", "fonts", "OFL.txt"))
	if err != nil {
		return err
	}
	fmt.Fprintf(&out, "Noto Sans and Noto Sans Arabic\n\n%s\n", fonts)
	p.notices = text("share/doc/datachain/LICENSES.txt", out.Bytes())
	return nil
}

// spdx returns the licences in a text as an SPDX expression, or "" if it knows none of them.
func spdx(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	var ids []string
	for _, licence := range []struct {
		id      string
		phrases []string
	}{
		{"Apache-2.0", []string{"Apache License Version 2.0, January 2004", "Licensed under the Apache License, Version 2.0"}},
		{"BSD-3-Clause", []string{"may be used to endorse or promote"}},
		{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
		{"CC-BY-4.0", []string{"Creative Commons Attribution 4.0 International Public License"}},
		{"ISC", []string{"Permission to use, copy, modify, and"}},
		{"MIT", []string{"Permission is hereby granted, free of charge"}},
		{"MPL-2.0", []string{"Mozilla Public License Version 2.0", "Mozilla Public License, version 2.0"}},
	} {
		extended := licence.id == "BSD-2-Clause" && slices.Contains(ids, "BSD-3-Clause") // by a third clause
		if !extended && slices.ContainsFunc(licence.phrases, func(phrase string) bool { return strings.Contains(text, phrase) }) {
			ids = append(ids, licence.id)
		}
	}
	return strings.Join(ids, " AND ")
}

// manPages returns a man page for each command, which the program writes.
func manPages(ctx context.Context, p *program) ([]file, error) {
	dir, err := os.MkdirTemp("", "datachain-man-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if _, err := p.says(ctx, "man", dir); err != nil {
		return nil, err
	}
	pages, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, page := range pages {
		content, err := os.ReadFile(filepath.Join(dir, page.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, text("share/man/man1/"+page.Name(), content))
	}
	return files, nil
}
