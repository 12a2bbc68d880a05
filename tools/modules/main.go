// Command modules releases the Go modules of the repository: it makes the commit that has their tags,
// and proves from a local proxy that others can use them.
//
//	go run . -version v1.0.0          tries it in a temporary clone
//	go run . -version v1.0.0 -write   adds the commits and the tags to the clone, too
//
// On main, modules use one another by replace, which go install refuses. In the released commit they
// require each other's version instead, with the hashes that Go computes from the tags: the zip file
// of a module has neither the modules below it nor their hashes, so that the library is hashed first,
// then what requires only the library, then the command. A second commit restores the replacements.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

const library = "github.com/datachain-go/datachain"

// folders are the modules in the order in which they are hashed: each requires some of those before
// it.
var folders = []string{".", "adapters/redisshare", "adapters/s3store", "pages/sign", "cmd"}

// pathOf is the path of the module in a folder, and tagOf its tag.
func pathOf(folder string) string {
	return strings.TrimSuffix(library+"/"+folder, "/.")
}

func tagOf(folder, version string) string { return strings.TrimPrefix(folder+"/"+version, "./") }

func main() {
	version := flag.String("version", "", "version, such as v1.0.0")
	root := flag.String("root", "../..", "clone of the repository; its last commit is released")
	write := flag.Bool("write", false, "add the commits and the tags to the clone")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := release(ctx, *root, *version, *write); err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(1)
	}
}

// release makes a release in a temporary clone, proves it, and adds it to the clone if asked to.
func release(ctx context.Context, root, version string, write bool) error {
	if semver.Canonical(version) != version || version == "" {
		return fmt.Errorf("version %q: want a semantic version that begins with v, such as v1.0.0", version)
	}
	temp, err := os.MkdirTemp("", "datachain-modules-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // only what this function wrote
	r := &releaser{version: version, temp: temp, src: filepath.Join(temp, "src"), proxy: filepath.Join(temp, "proxy"), hashes: map[string]string{}}
	if err := r.clone(ctx, root); err != nil {
		return err
	}
	if err := r.commit(ctx); err != nil {
		return err
	}
	if err := r.compare(ctx); err != nil {
		return err
	}
	if err := r.prove(ctx); err != nil {
		return err
	}
	if err := r.run(ctx, r.src, filepath.Join(".ci", "released")); err != nil {
		return err
	}
	if !write {
		return nil
	}
	branch := "refs/heads/release-" + version
	refs := []string{"HEAD:" + branch}
	for _, folder := range folders {
		tag := "refs/tags/" + tagOf(folder, version)
		refs = append(refs, tag+":"+tag)
	}
	if err := r.run(ctx, root, "git", append([]string{"fetch", "--quiet", r.src}, refs...)...); err != nil {
		return err
	}
	fmt.Printf(`The tags are in the clone, and the branch release-%[1]s has the commits. Push main first, then the
tags of the other modules, and last that of the library, which starts the workflow (more than three
tags in one push start none):

	git merge --ff-only release-%[1]s && git push origin HEAD
	git push origin %[2]s
	git push origin %[1]s
`, version, strings.Join(tagsOf(folders[1:], version), " "))
	return nil
}

func tagsOf(folders []string, version string) (tags []string) {
	for _, folder := range folders {
		tags = append(tags, tagOf(folder, version))
	}
	return tags
}

// releaser is a release while it is made.
type releaser struct {
	version          string
	temp, src, proxy string
	downloads        string // the files that the user's module cache was filled from
	others           string // where modules come from that it lacks, such as those of tests of others
	hashes           map[string]string
}

// clone clones the last commit.
func (r *releaser) clone(ctx context.Context, root string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	for _, tag := range tagsOf(folders, r.version) {
		if _, err := r.output(ctx, root, "git", "rev-parse", "--quiet", "--verify", "refs/tags/"+tag); err == nil {
			return fmt.Errorf("there is a tag %s already: choose another version", tag)
		}
	}
	cache, err := r.output(ctx, root, "go", "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	if r.others, err = r.output(ctx, root, "go", "env", "GOPROXY"); err != nil {
		return err
	}
	r.downloads = filepath.Join(cache, "cache", "download")
	if err := r.run(ctx, root, "git", "clone", "--quiet", "--shared", root, r.src); err != nil {
		return err
	}
	return r.run(ctx, r.src, "git", "checkout", "--quiet", "--detach")
}

// commit makes the released commit with its tags, and the one that restores the replacements.
func (r *releaser) commit(ctx context.Context) error {
	replaced := map[string][]byte{}
	for _, folder := range folders[1:] {
		name := filepath.Join(r.src, folder, "go.mod")
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if text, replaced[folder], err = requireEachOther(text, r.version); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	if err := r.record(ctx, "Release "+r.version); err != nil {
		return err
	}
	for _, folder := range folders {
		if folder != "." { // what it requires of ours is in the proxy already
			if err := r.tidy(ctx, folder); err != nil {
				return err
			}
			if err := r.record(ctx, ""); err != nil {
				return err
			}
		}
		var err error
		if r.hashes[folder], err = r.publish(ctx, folder); err != nil {
			return err
		}
	}
	for _, folder := range folders {
		again, err := r.publish(ctx, folder)
		if err != nil {
			return err
		}
		if again != r.hashes[folder] {
			return fmt.Errorf("%s was changed after it was hashed", pathOf(folder))
		}
		fmt.Printf("%s %s %s\n", pathOf(folder), r.version, again)
		if err := r.run(ctx, r.src, "git", "tag", "--no-sign", tagOf(folder, r.version)); err != nil {
			return err
		}
	}
	for _, folder := range folders[1:] {
		if err := os.WriteFile(filepath.Join(r.src, folder, "go.mod"), replaced[folder], 0o666); err != nil {
			return err
		}
	}
	for _, folder := range folders[1:] {
		if err := r.tidy(ctx, folder); err != nil {
			return err
		}
	}
	return r.record(ctx, "Use the modules of the repository after "+r.version)
}

// requireEachOther returns a go.mod whose requirements of modules of ours have a version, without
// replacements of them, and with these.
func requireEachOther(text []byte, version string) (released, replaced []byte, err error) {
	f, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, required := range f.Require {
		if strings.HasPrefix(required.Mod.Path, library) {
			if err := f.AddRequire(required.Mod.Path, version); err != nil {
				return nil, nil, err
			}
		}
	}
	if replaced, err = f.Format(); err != nil {
		return nil, nil, err
	}
	for _, r := range f.Replace {
		if err := f.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return nil, nil, err
		}
	}
	f.Cleanup()
	released, err = f.Format()
	return released, replaced, err
}

// record commits what was changed. Without a message it changes the last commit.
func (r *releaser) record(ctx context.Context, message string) error {
	args := []string{"commit", "--quiet", "--all", "--no-verify", "--message", message}
	if message == "" {
		args = []string{"commit", "--quiet", "--all", "--no-verify", "--amend", "--no-edit"}
	}
	return r.run(ctx, r.src, "git", args...)
}

// publish writes a module of the last commit into the proxy, and returns its hash.
func (r *releaser) publish(ctx context.Context, folder string) (string, error) {
	m := module.Version{Path: pathOf(folder), Version: r.version}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return "", err
	}
	base := filepath.Join(r.proxy, escaped, "@v", r.version)
	if err := os.MkdirAll(filepath.Dir(base), 0o777); err != nil {
		return "", err
	}
	file, err := os.Create(base + ".zip")
	if err != nil {
		return "", err
	}
	subdir := strings.TrimPrefix(folder, ".")
	if err := errors.Join(zip.CreateFromVCS(file, m, r.src, "HEAD", subdir), file.Close()); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(r.src, folder, "go.mod"))
	if err != nil {
		return "", err
	}
	info := fmt.Sprintf(`{"Version":%q,"Time":%q}`, r.version, time.Now().UTC().Format(time.RFC3339))
	for name, content := range map[string][]byte{base + ".mod": text, base + ".info": []byte(info), filepath.Join(filepath.Dir(base), "list"): []byte(r.version + "\n")} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			return "", err
		}
	}
	return dirhash.HashZip(base+".zip", dirhash.Hash1)
}

// tidy completes go.sum.
func (r *releaser) tidy(ctx context.Context, folder string) error {
	return r.run(ctx, filepath.Join(r.src, folder), "go", "mod", "tidy")
}

// compare lets the go command compute the hashes from the tags, as it would from those on GitHub.
func (r *releaser) compare(ctx context.Context) error {
	for _, folder := range folders {
		said, err := r.output(ctx, r.temp, "env", "GOPROXY=direct", "GOMODCACHE="+filepath.Join(r.temp, "direct"), "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=url."+r.src+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+library,
			"go", "mod", "download", "-json", pathOf(folder)+"@"+r.version)
		if err != nil {
			return err
		}
		var downloaded struct{ Sum string }
		if err := json.Unmarshal([]byte(said), &downloaded); err != nil {
			return err
		}
		if downloaded.Sum != r.hashes[folder] {
			return fmt.Errorf("%s has the hash %s, and from its tag %s", pathOf(folder), r.hashes[folder], downloaded.Sum)
		}
	}
	return nil
}

// The programs that use the modules.
const (
	consumer = `package main

import (
	"fmt"

	"github.com/datachain-go/datachain/validate"
)

func main() { fmt.Println(validate.JSONSchemaNames()) }
`
	storing = `package main

import (
	_ "github.com/datachain-go/datachain/adapters/redisshare"
	_ "github.com/datachain-go/datachain/adapters/s3store"
	_ "github.com/datachain-go/datachain/pages/sign"
)

func main() {}
`
)

// prove uses the modules of the proxy as others do.
func (r *releaser) prove(ctx context.Context) error {
	bin := filepath.Join(r.temp, "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return err
	}
	for _, program := range []string{"datachain", "datachain-cloud"} {
		if err := r.run(ctx, r.temp, "env", "GOBIN="+bin, "go", "install", pathOf("cmd")+"/"+program+"@"+r.version); err != nil {
			return err
		}
		said, err := r.output(ctx, r.temp, filepath.Join(bin, program), "version")
		if err != nil {
			return err
		}
		if !strings.HasPrefix(said, program+" "+r.version) {
			return fmt.Errorf("the installed %s says that it is %q", program, said)
		}
	}
	for name, program := range map[string]struct {
		text string
		get  []string
	}{
		"consumer": {consumer, []string{library + "/validate"}},
		"storing":  {storing, []string{pathOf(folders[1]), pathOf(folders[2]), pathOf(folders[3])}},
	} {
		dir := filepath.Join(r.temp, name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program.text), 0o666); err != nil {
			return err
		}
		if err := r.run(ctx, dir, "go", "mod", "init", "example.org/"+name); err != nil {
			return err
		}
		for _, path := range program.get {
			if err := r.run(ctx, dir, "go", "get", path+"@"+r.version); err != nil {
				return err
			}
		}
		if err := r.run(ctx, dir, "go", "build", "-o", os.DevNull, "."); err != nil {
			return err
		}
		list, err := r.output(ctx, dir, "go", "list", "-m", "all")
		if err != nil {
			return err
		}
		fmt.Printf("a program that imports %s sees %d modules\n", strings.Join(program.get, ", "), strings.Count(list, "\n")+1)
	}
	return nil
}

// run runs a command. Its output is part of the error.
func (r *releaser) run(ctx context.Context, dir, name string, args ...string) error {
	_, err := r.output(ctx, dir, name, args...)
	return err
}

// output returns what a command prints. The go command gets our modules from the proxy, and others
// from files that were downloaded before or from GOPROXY, and keeps all of them apart: the versions
// may not be released in the end.
func (r *releaser) output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=-modcacherw -trimpath", "GOTOOLCHAIN=local")
	if r.downloads != "" {
		proxies := "file://" + filepath.ToSlash(r.proxy) + ",file://" + filepath.ToSlash(r.downloads) + "," + r.others
		cmd.Env = append(cmd.Env, "GOPROXY="+proxies, "GOSUMDB=off", "GOMODCACHE="+filepath.Join(r.temp, "cache"))
	}
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, problem.Bytes())
	}
	return strings.TrimSpace(out.String()), nil
}
