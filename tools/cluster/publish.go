package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// outcome is what became of the publications of a scenario.
type outcome struct {
	asked     int           // how often something was published
	published int           // those that are in the index
	refused   int           // those that were refused with a reason
	lost      int           // replies of the storage
	slowest   time.Duration // until every server served a publication
	broken    []string      // promises
}

func (o *outcome) promise(kept bool, format string, args ...any) {
	if !kept {
		o.broken = append(o.broken, strings.TrimSpace(fmt.Sprintf(format, args...)))
	}
}

// String is a cell of the table.
func (o outcome) String() string {
	switch {
	case o.asked == 0:
		return "-"
	case o.refused == 0:
		return fmt.Sprintf("%d/%d", o.published, o.asked)
	}
	return fmt.Sprintf("%d+%d/%d", o.published, o.refused, o.asked)
}

// delay is a cell of the table.
func (o outcome) delay() string {
	if o.slowest == 0 {
		return "-"
	}
	return o.slowest.Round(10 * time.Millisecond).String()
}

const (
	// refresh is how often the servers ask for the index.
	refresh = time.Second
	// margin is how much longer a server may take to serve what was published: to ask,
	// to read the release and to answer, on a machine that runs everything else, too.
	margin = 4 * time.Second
)

// beta is the version that changes. The load does not use it.
const beta = "sensor@2026-12-01-beta"

// publishBetas publishes new content of a beta version several times, and measures how
// long it takes until every server has it.
func publishBetas(ctx context.Context, c *cluster, _ *server) error {
	source := filepath.Join(c.dir, "source")
	if err := os.RemoveAll(source); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(source, "sensor"), os.DirFS(filepath.Join(c.root, "examples", "taxonomies", "sensor"))); err != nil {
		return err
	}
	path := filepath.Join(source, "sensor", "2026-12-01-beta", "schema.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for i := range c.publications {
		title := fmt.Sprintf("Sensors of edition %d", i+1)
		if err := retitle(path, text, "Sensors in public places", title); err != nil {
			return err
		}
		if err := c.publish(ctx, source, storeURL); err != nil {
			return err
		}
		c.outcome.asked++
		begun := time.Now()
		err := await(ctx, time.Minute, func(ctx context.Context) error { return c.allServe(ctx, title) })
		took := time.Since(begun)
		c.outcome.slowest = max(c.outcome.slowest, took)
		if err == nil {
			c.outcome.published++
		}
		c.outcome.promise(err == nil && took <= refresh+margin, "publication %d was served everywhere after %s, want at most %s: %v",
			i+1, took.Round(time.Millisecond), refresh+margin, err)
	}
	return nil
}

// retitle writes a file of a source with another title.
func retitle(path string, text []byte, old, title string) error {
	if !bytes.Contains(text, []byte(old)) {
		return fmt.Errorf("%s: the title %q is missing", path, old)
	}
	return os.WriteFile(path, bytes.Replace(text, []byte(old), []byte(title), 1), 0o600)
}

// allServe checks that every server has a title.
func (c *cluster) allServe(ctx context.Context, title string) error {
	for _, s := range c.servers {
		page, err := fetch(ctx, s.url+api+"/schemas/"+beta+"/manifest")
		if err != nil {
			return err
		}
		if !strings.Contains(page, title) {
			var short bytes.Buffer
			_ = json.Compact(&short, []byte(page)) // only for the message
			return fmt.Errorf("server %s does not serve %q: %.120s", s.name, title, short.Bytes())
		}
	}
	return nil
}

// index is an index of versions, as storage has it and servers return it.
type index map[string]string // content hashes by version

func decodeIndex(text []byte) (index, error) {
	var list struct {
		Versions []struct {
			ID          string `json:"id"`
			ContentHash string `json:"content_hash"`
		} `json:"versions"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	x := index{}
	for _, v := range list.Versions {
		x[v.ID] = v.ContentHash
	}
	if len(x) == 0 {
		return nil, errors.New("the index has no versions")
	}
	return x, nil
}

// original is the name of the copy of a file that was damaged.
const original = ".original"

// objectFiles returns the files of the releases in the bucket.
func (c *cluster) objectFiles(match func(name string) bool) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(filepath.Join(c.objects, bucket, "public"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && match(d.Name()) {
			paths = append(paths, path)
		}
		return err
	})
	if err == nil && len(paths) == 0 {
		err = errors.New("the bucket has no such files")
	}
	return paths, err
}

// corrupt flips a byte in the middle of each archive, and replaces a server by one that has no
// copies. It must not serve what it can't verify. The balancer may not notice that the old
// server was down, and trusts the new one until the next check.
func corrupt(_ context.Context, c *cluster, victim *server) error {
	paths, err := c.objectFiles(func(name string) bool { return strings.HasSuffix(name, ".zip") })
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(c.dir, filepath.Base(filepath.Dir(path))+original), text, 0o600); err != nil {
			return err
		}
		text[len(text)/2] ^= 0x20
		if err := rewrite(path, text); err != nil {
			return err
		}
	}
	if err := victim.stop(syscall.SIGKILL); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(c.dir, "cache-"+victim.name)); err != nil {
		return err
	}
	return c.run(victim)
}

// restore writes the right bytes again.
func restore(_ context.Context, c *cluster, _ *server) error {
	paths, err := c.objectFiles(func(name string) bool { return strings.HasSuffix(name, ".zip") })
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(filepath.Join(c.dir, filepath.Base(filepath.Dir(path))+original))
		if err != nil {
			return err
		}
		if err := rewrite(path, text); err != nil {
			return err
		}
	}
	return nil
}

// rewrite replaces the bytes of a file and keeps its attributes, where the storage has its
// metadata.
func rewrite(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// publishers is how many publish at the same time.
const publishers = 4

// attempt is one run of `datachain schema publish`, as a job of CI makes it.
type attempt struct {
	version string // the only one in the source
	source  string
	// shared means that the other publishers publish the version, too, with other content.
	shared bool

	hash   string // what was published, "" if it was refused
	reason string // why it was refused
}

// race lets publishers publish into the bucket at the same time, over a network that is
// slow and loses replies, while servers are killed and started again.
func race(ctx context.Context, c *cluster, _ *server) error {
	attempts, err := c.prepareRace(ctx)
	if err != nil {
		return err
	}
	via, err := newProxy(c.s3Addr, added, c.seed)
	if err != nil {
		return err
	}
	defer via.close()
	via.set(lossy)
	var all sync.WaitGroup
	for i := range attempts {
		all.Go(func() {
			for j := range attempts[i] {
				c.publishOnce(ctx, via.address(), &attempts[i][j])
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	killed := c.killUntil(ctx, done)
	<-done
	c.outcome.lost = via.losses()
	if err := errors.Join(killed, c.judgeRace(ctx, slices.Concat(attempts[:]...))); err != nil {
		return err
	}
	return await(ctx, time.Minute, c.whole)
}

// prepareRace writes the sources. Most attempts of a publisher are versions of its own;
// every fifth is a stable version, and every other fifth a beta, that all publish at
// about the same time, each with its own content.
func (c *cluster) prepareRace(ctx context.Context) (all [publishers][]attempt, err error) {
	drafts := filepath.Join(c.dir, "race", "drafts")
	for i := range publishers {
		own, err := c.draft(ctx, drafts, fmt.Sprintf("race-%d", i))
		if err != nil {
			return all, err
		}
		shared, err := c.draft(ctx, drafts, "race-shared")
		if err != nil {
			return all, err
		}
		for j := range c.races {
			a, from, typ, folder := attempt{}, own, fmt.Sprintf("race-%d", i), fmt.Sprintf("%d-01-01-beta", 2100+j)
			switch j % 5 {
			case 2:
				a.shared, from, typ, folder = true, shared, "race-shared", "2100-01-01-beta"
			case 4:
				a.shared, from, typ, folder = true, shared, "race-shared", fmt.Sprintf("%d-01-01-stable", 2100+j)
			}
			a.version = typ + "@" + folder
			a.source = filepath.Join(c.dir, "race", fmt.Sprintf("%d-%d", i, j))
			if err := copyVersion(from, filepath.Join(a.source, typ, folder), typ, fmt.Sprintf("Edition %d of %d", j, i)); err != nil {
				return all, err
			}
			all[i] = append(all[i], a)
		}
	}
	return all, nil
}

// draft returns the directory of a small version, which the command writes.
func (c *cluster) draft(ctx context.Context, dir, typ string) (string, error) {
	const date = "2100-01-01"
	path := filepath.Join(dir, typ, date+"-beta")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	_, err := output(ctx, nil, c.program, "schema", "new", typ, "--schemas", dir, "--date", date)
	return path, err
}

func copyVersion(from, to, typ, title string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	path := filepath.Join(to, "schema.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return retitle(path, text, "A taxonomy for "+typ, title)
}

// publishOnce publishes, and notes what the command says.
func (c *cluster) publishOnce(ctx context.Context, endpoint string, a *attempt) {
	out, err := output(ctx, c.credentials(endpoint), c.program, "schema", "publish", a.source, "--store", storeURL, "--format", "json")
	var answer struct {
		Versions []struct {
			ContentHash string `json:"content_hash"`
		} `json:"versions"`
	}
	if err == nil {
		err = json.Unmarshal([]byte(out), &answer)
	}
	switch {
	case err != nil:
		a.reason = err.Error()
	case len(answer.Versions) != 1:
		a.reason = fmt.Sprintf("%d versions were published", len(answer.Versions))
	default:
		a.hash = answer.Versions[0].ContentHash
	}
}

// killUntil kills one server after the other, and starts it again.
func (c *cluster) killUntil(ctx context.Context, done <-chan struct{}) error {
	for i := 0; ; i++ {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(c.hold / 2):
		}
		s := c.servers[i%len(c.servers)]
		if err := s.stop(syscall.SIGKILL); err != nil {
			return err
		}
		if err := c.run(s); err != nil {
			return err
		}
		if err := await(ctx, time.Minute, s.ready); err != nil {
			return fmt.Errorf("server %s after it was killed: %w", s.name, err)
		}
	}
}

// judgeRace compares what the publishers were told with what the bucket has, and with
// what servers serve.
func (c *cluster) judgeRace(ctx context.Context, all []attempt) error {
	text, err := os.ReadFile(filepath.Join(c.objects, bucket, "public", "index.json"))
	if err != nil {
		return err
	}
	x, err := decodeIndex(text)
	if err != nil {
		return err
	}
	o := &c.outcome
	for _, a := range all {
		o.asked++
		switch {
		case a.hash != "" && x[a.version] == a.hash:
			o.published++
		case a.hash != "" && a.replaced(all, x[a.version]):
			o.published++
		case a.hash != "":
			o.promise(false, "%s with %s was published and is lost: the index has %q", a.version, a.hash, x[a.version])
		default:
			o.refused++
			o.promise(a.explained(), "%s was not published, for no good reason: %s", a.version, a.reason)
		}
	}
	if _, err := output(ctx, c.credentials(c.s3Addr), c.program, "check", "--store", storeURL); err != nil {
		if _, ended := errors.AsType[*exec.ExitError](err); !ended {
			return err
		}
		o.promise(false, "releases are torn: %v", err)
	}
	begun := time.Now()
	err = await(ctx, time.Minute, func(ctx context.Context) error { return c.allList(ctx, x) })
	o.promise(err == nil, "servers have the index: %v", err)
	o.slowest = time.Since(begun)
	return nil
}

// replaced reports whether another publisher has replaced the content of a beta version
// after it was published.
func (a attempt) replaced(all []attempt, by string) bool {
	return a.shared && strings.HasSuffix(a.version, "-beta") &&
		slices.ContainsFunc(all, func(o attempt) bool { return o.version == a.version && o.hash == by })
}

// explained reports whether a publication was refused for a reason that the publisher
// can do something about: a stable version has other content, or the storage could not
// be reached.
func (a attempt) explained() bool {
	_, reason, found := strings.Cut(a.reason, "\ndatachain: ")
	switch {
	case !found || strings.Contains(a.reason, "goroutine "):
		return false
	case strings.Contains(reason, "stable versions can't change"):
		return a.shared && strings.HasSuffix(a.version, "-stable")
	}
	return true
}

// allList checks that every server lists what the index has.
func (c *cluster) allList(ctx context.Context, x index) error {
	for _, s := range c.servers {
		page, err := fetch(ctx, s.url+api+"/schemas")
		if err != nil {
			return err
		}
		listed, err := decodeIndex([]byte(page))
		if err != nil {
			return err
		}
		for version, hash := range x {
			if listed[version] != hash {
				return fmt.Errorf("server %s has %q of %s, the index %q", s.name, listed[version], version, hash)
			}
		}
	}
	return nil
}
