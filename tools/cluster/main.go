// Command cluster runs three datachain servers on this machine, behind haproxy with the
// configuration in deploy/haproxy, with Redis and S3-compatible storage (versitygw), and
// breaks one part after the other under load:
//
//	make cluster                        # about six minutes
//	make cluster CLUSTER='-short'       # the form for CI
//	make cluster CLUSTER='-only redis -seed 7'
//
// Clients send reads, searches, icons, documents and MCP calls from outside, through
// haproxy. Every response is compared byte by byte with that of a server that reads the
// same releases from a directory. In each scenario the program also counts from outside
// how many requests a rate limit lets pass, sent by 16 clients through all servers, and
// whether the page that an MCP session rendered is found on every server. The result is a
// table, and the exit code is 1 if a promise is broken:
//
//   - no request fails, whatever breaks, except for a killed server those whose response
//     had begun;
//   - no response has wrong bytes;
//   - limits are exact while Redis is there, and not exceeded while it is away. On a busy
//     machine checks of limits time out, after which a server decides alone; a count during
//     which that happened is repeated, and shown as 61 (±2) if it happens three times;
//   - the page of an MCP session is found on every server while Redis is there. A count
//     during which pages got lost, because Redis was late, is repeated, too;
//   - limits are exact again at most 2 seconds after Redis is back;
//   - a beta version that is published again is served by every server within --refresh
//     (1 s) and a margin of 4 s, in which a machine that runs all of this reads the
//     release. The table has the longest time that it took;
//   - of 100 publications by four publishers that race for one index, over a network that
//     delays everything and loses every eighth reply, while servers are killed, each is
//     in the index or was refused with a reason, and every release that the index names is
//     whole. The table shows them as 84+16/100: most are versions of one publisher, and
//     each fifth is a stable version that all four publish with different content, of
//     which one may win.
//
// Everything listens on loopback addresses and ends with the program. Processes are
// stopped by their ids, and files are in a temporary directory. It needs Linux, haproxy,
// redis-server and versitygw; tools/cluster/run installs them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// settings are the flags and what follows from them.
type settings struct {
	root      string
	program   string
	versitygw string
	only      string
	short     bool
	keep      bool
	seed      uint64
	rate      int
	hold      time.Duration

	limit        int // requests per minute that the limit allows
	publications int //  of one beta, one after the other
	races        int //  publications of each of several publishers
	random       *rand.Rand
	samples      []*sample
}

func main() {
	var s settings
	flag.StringVar(&s.root, "root", filepath.Join("..", ".."), "directory of the module")
	flag.StringVar(&s.program, "program", "", "datachain command (default: built from -root)")
	flag.StringVar(&s.versitygw, "versitygw", "versitygw", "path of versitygw")
	flag.StringVar(&s.only, "only", "", "only scenarios whose name contains this")
	flag.BoolVar(&s.short, "short", false, "only the most important scenarios, for a shorter time")
	flag.BoolVar(&s.keep, "keep", false, "keep logs and files")
	flag.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()%1_000_000), "chooses requests and servers")
	flag.IntVar(&s.rate, "rate", 200, "requests per second")
	flag.DurationVar(&s.hold, "hold", 5*time.Second, "how long something stays broken")
	flag.Parse()
	s.limit, s.publications, s.races = 300, 10, 25
	if s.short {
		s.limit, s.publications, s.races, s.hold = 60, 2, 5, min(s.hold, 2*time.Second)
	}
	s.random = rand.New(rand.NewPCG(s.seed, 0))
	ctx, stop := signalContext()
	defer stop()
	if err := s.run(ctx, os.Stdout); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func signalContext() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// errBroken is the result of a run in which a promise was broken.
var errBroken = errors.New("promises were broken")

// run runs the scenarios and prints the table.
func (s settings) run(ctx context.Context, w io.Writer) (err error) {
	if err := s.findPrograms(); err != nil {
		return err
	}
	if s.program == "" {
		dir, err := os.MkdirTemp("", "datachain-program-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // only what this function wrote
		if s.program, err = build(ctx, s.root, dir); err != nil {
			return err
		}
	}
	begun := time.Now()
	c, err := newCluster(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if c.samples, err = samples(ctx, c.refURL); err != nil {
		return err
	}
	fmt.Fprintf(w, "seed %d, %d clients, %d requests per second, limit %d\n", s.seed, clients, s.rate, s.limit)
	var results []*result
	for i, sc := range scenarios() {
		if (s.short && !sc.short) || !strings.Contains(sc.name, s.only) {
			continue
		}
		r, err := c.play(ctx, i, sc)
		if err != nil {
			return errors.Join(err, report(w, results, time.Since(begun)))
		}
		fmt.Fprintf(os.Stderr, "%s: %d requests, %d broken promises\n", r.name, r.requests, len(r.broken))
		results = append(results, r)
	}
	return report(w, results, time.Since(begun))
}

// findPrograms checks that other programs are installed before anything is started.
func (s settings) findPrograms() error {
	for _, name := range []string{"haproxy", "redis-server", s.versitygw} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%w; run `make cluster`, which installs it", err)
		}
	}
	return nil
}

// build builds the command.
func build(ctx context.Context, root, dir string) (string, error) {
	path := filepath.Join(dir, "datachain")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", path, "./cmd/datachain")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(cmd.Environ(), "GOWORK=") // this program is not in go.work, the command is
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build ./cmd/datachain in %s: %w", root, err)
	}
	return path, nil
}

// report prints the table and what was broken.
func report(w io.Writer, results []*result, took time.Duration) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "scenario\trequests\tfailed\tbroke off\twrong\tlimit\tafterwards\tpages\trecovered\tpublished\treplies lost\tserved after\t")
	var broken []string
	for _, r := range results {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s/%d\t%s/%d\t%d/%d\t%s\t%s\t%d\t%s\t\n", r.name, r.requests, r.failed, r.load.begun, r.wrong+r.pages.wrong,
			r.during, r.limit, r.after, r.limit, r.pages.found, r.pages.asked, r.recovered.Round(10*time.Millisecond), r.outcome, r.outcome.lost, r.outcome.delay())
		for _, b := range r.broken {
			broken = append(broken, r.name+": "+b)
		}
		for _, n := range r.notes {
			broken = append(broken, "    "+n)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d scenarios in %s\n", len(results), took.Round(time.Second))
	if len(results) == 0 {
		return errors.New("no scenario has such a name")
	}
	for _, r := range results {
		if len(r.broken) > 0 {
			fmt.Fprintln(w, strings.Join(broken, "\n"))
			return errBroken
		}
	}
	return nil
}
