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

// TestSystemd checks the unit, and that systemd finds its exposure low (of 10). The program
// is replaced by one that is installed everywhere, because systemd looks for it.
func TestSystemd(t *testing.T) {
	text := string(readFile(t, "systemd/datachain.service"))
	unit := filepath.Join(t.TempDir(), "datachain.service")
	require.NoError(t, os.WriteFile(unit, []byte(strings.Replace(text, "/usr/local/bin/datachain serve", "/bin/true", 1)), 0o600))
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
		"kubernetes/datachain.yaml", "helm/datachain/values.yaml", "helm/datachain/templates/configmap.yaml",
		"systemd/datachain.service", "haproxy/haproxy.cfg", "caddy/Caddyfile", "release/image.go", "release/packages.go", "README.md",
	} {
		for _, name := range variable.FindAllString(string(readFile(t, path)), -1) {
			assert.Contains(t, page, "`"+name+"`", path)
		}
	}
}
