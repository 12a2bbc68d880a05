package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run runs a program that checks a file, and returns what it prints.
func run(t *testing.T, env []string, name string, args ...string) string {
	if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("%s is not installed; run `make deploy`, which installs it on Debian", name)
	}
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(cmd.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %v:\n%s", name, args, out)
	return string(out)
}

func TestHaproxy(t *testing.T) {
	run(t, []string{"SERVER_A=127.0.0.1", "SERVER_B=127.0.0.1", "SERVER_C=127.0.0.1"}, "haproxy", "-c", "-V", "-f", "haproxy/haproxy.cfg")
}

func TestCaddy(t *testing.T) {
	dir := t.TempDir()
	run(t, []string{"XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir}, "caddy", "validate", "--config", "caddy/Caddyfile")
}

// TestNginx and TestVarnish check what caches read, TestCaches what they do.
func TestNginx(t *testing.T) {
	dir := t.TempDir()
	site := strings.NewReplacer("/var/cache/", dir+"/", "listen      80;", "listen unix:"+dir+"/socket;").Replace(string(readFile(t, "nginx/datachain.conf")))
	file := filepath.Join(dir, "nginx.conf")
	require.NoError(t, os.WriteFile(file, []byte("pid "+dir+"/pid; events {} http {\n"+site+"}\n"), 0o600))
	assert.NotContains(t, run(t, nil, "nginx", "-t", "-e", "stderr", "-c", file), "[warn]")
}

func TestVarnish(t *testing.T) {
	file, err := filepath.Abs("varnish/datachain.vcl")
	require.NoError(t, err)
	run(t, nil, "varnishd", "-C", "-n", t.TempDir(), "-f", file)
}

// TestTutorial runs what the tutorial for operators shows for a server in a directory instead of the
// root. Programs that change the system are replaced by some that say how they were called.
func TestTutorial(t *testing.T) {
	const page = "../docs/tutorials/run-a-register.md"
	root := t.TempDir()
	for _, dir := range []string{"bin", "srv", "etc/default", "etc/caddy", "backup/srv", "home/dist/versions"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for _, name := range []string{"index.json", "versions/release.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "home/dist", name), []byte(name), 0o600))
	}
	for _, name := range []string{"apt-get", "dpkg", "systemctl", "datachain", "datachain-cloud", "new/usr/bin/datachain"} {
		path := filepath.Join(root, "bin", name)
		if strings.Contains(name, "/") {
			path = filepath.Join(root, "home", name)
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho \"${0##*/} $*\" >>"+root+"/calls\n"), 0o700))
	}
	inside := strings.NewReplacer("backup:/", root+"/backup/", "/srv/", root+"/srv/", "/etc/", root+"/etc/")
	for _, block := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(readFile(t, page)), -1) {
		run(t, nil, "bash", "-euo", "pipefail", "-c", "cd "+root+"/home; PATH="+root+"/bin:$PATH\n"+inside.Replace(block[1]))
	}
	for _, copied := range []string{"srv", "backup/srv"} {
		assert.Empty(t, run(t, nil, "diff", "-r", filepath.Join(root, "home/dist"), filepath.Join(root, copied, "taxonomies")))
	}
	run(t, []string{"XDG_DATA_HOME=" + root, "XDG_CONFIG_HOME=" + root}, "caddy", "validate", "--config", filepath.Join(root, "etc/caddy/Caddyfile"))
	assert.Contains(t, string(readFile(t, "systemd/datachain.service")), "EnvironmentFile=-/etc/default/datachain")
	assert.FileExists(t, filepath.Join(root, "etc/default/datachain"))

	calls := string(readFile(t, filepath.Join(root, "calls")))
	for _, want := range []string{"apt-get install ./datachain_", "systemctl enable --now datachain\n", "datachain check --store ", "systemctl restart datachain\n"} {
		assert.Contains(t, calls, want)
	}
	reference := string(readFile(t, "../docs/server-reference.md"))
	for _, name := range regexp.MustCompile(`--[a-z0-9-]+`).FindAllString(regexp.MustCompile(`(?m)^datachain-cloud serve.*`).FindString(calls), -1) {
		assert.True(t, strings.Contains(reference, "`"+name+"`"), name)
	}
}

// TestSystemd checks the unit, and that systemd finds its exposure low (of 10). The program
// is replaced by one that is installed everywhere, because systemd looks for it.
func TestSystemd(t *testing.T) {
	text := string(readFile(t, "systemd/datachain.service"))
	unit := filepath.Join(t.TempDir(), "datachain.service")
	require.NoError(t, os.WriteFile(unit, []byte(strings.Replace(text, "/usr/local/bin/datachain-cloud serve", "/bin/true", 1)), 0o600))
	out := run(t, nil, "systemd-analyze", "verify", "--man=no", unit)
	assert.NotContains(t, out, "datachain.service:", "a warning")

	out = run(t, nil, "systemd-analyze", "security", "--offline=yes", "--no-pager", unit)
	found := regexp.MustCompile(`exposure level for datachain.service: ([0-9.]+)`).FindStringSubmatch(out)
	require.NotNil(t, found, "%s", out)
	exposure, err := strconv.ParseFloat(found[1], 64)
	require.NoError(t, err)
	assert.LessOrEqual(t, exposure, 1.5)

	stop := regexp.MustCompile(`TimeoutStopSec=(\d+)`).FindStringSubmatch(text)
	require.NotNil(t, stop)
	assert.Greater(t, duration(t, stop[1]+"s"), drain, "the default drain fits")
}

// drain is how long a server with default settings may take to stop.
const drain = 22 * time.Second

func TestCompose(t *testing.T) {
	options, err := cli.NewProjectOptions([]string{"compose/compose.yaml"}, cli.WithEnv([]string{"TAXONOMIES=/srv/taxonomies"}))
	require.NoError(t, err)
	project, err := options.LoadProject(t.Context())
	require.NoError(t, err)
	for _, name := range []string{"a", "b", "c"} {
		s := project.Services[name]
		assert.True(t, s.ReadOnly)
		assert.Equal(t, []string{"ALL"}, s.CapDrop)
		assert.Greater(t, time.Duration(*s.StopGracePeriod), drain)
		assert.Equal(t, "3", *s.Environment["DATACHAIN_REPLICAS"])
		assert.Empty(t, s.Ports, "only haproxy is reached from outside")
	}
	assert.Len(t, project.Services["haproxy"].Ports, 1)
}

// TestVariables checks that every variable in these files is one that the server reads.
// The page is generated from its flags.
func TestVariables(t *testing.T) {
	page := string(readFile(t, "../docs/server-reference.md"))
	variable := regexp.MustCompile(`DATACHAIN_[A-Z_]+`)
	for _, path := range []string{
		"helm/datachain/values.yaml", "helm/datachain/templates/configmap.yaml",
		"systemd/datachain.service", "haproxy/haproxy.cfg", "caddy/Caddyfile", "nginx/datachain.conf", "varnish/datachain.vcl", "compose/compose.yaml",
		"../docs/tutorials/run-a-register.md", "../tools/release/packages.go", "README.md",
	} {
		for _, name := range variable.FindAllString(string(readFile(t, path)), -1) {
			assert.True(t, strings.Contains(page, "`"+name+"`"), "%s: %s", path, name)
		}
	}
}
