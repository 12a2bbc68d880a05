package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

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

// corrupt flips a byte in the middle of each pack, and replaces a server by one that has no
// copies. It must not serve what it can't verify. The balancer notices that the old server
// is down before the new one starts; otherwise it would trust the new one until the next
// check.
func corrupt(ctx context.Context, c *cluster, victim *server) error {
	paths, err := c.objectFiles(func(name string) bool { return strings.HasSuffix(name, ".pack") })
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
	pause(ctx, 2*checkInterval)
	return c.run(victim)
}

// checkInterval is how often the balancer checks servers.
const checkInterval = 500 * time.Millisecond

// restore writes the right bytes again.
func restore(_ context.Context, c *cluster, _ *server) error {
	paths, err := c.objectFiles(func(name string) bool { return strings.HasSuffix(name, ".pack") })
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

// beta is the version that changes. The load does not use it.
const beta = "sensor@2026-12-01-beta"

// publishBetas publishes new content of a beta version several times, and waits until
// every server has it.
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
	const title = "Sensors in public places"
	if !bytes.Contains(text, []byte(title)) {
		return fmt.Errorf("%s: the title %q is missing", path, title)
	}
	for i := range c.publications {
		name := fmt.Sprintf("Sensors of edition %d", i+1)
		if err := os.WriteFile(path, bytes.Replace(text, []byte(title), []byte(name), 1), 0o600); err != nil {
			return err
		}
		if err := c.publish(ctx, source, storeURL); err != nil {
			return err
		}
		if err := await(ctx, beforeServed, func(ctx context.Context) error { return c.allServe(ctx, name) }); err != nil {
			return fmt.Errorf("publication %d: %w", i+1, err)
		}
	}
	return nil
}

// beforeServed is how long a server may take to serve what was published: one refresh, and
// the time to read the release on a busy machine.
const beforeServed = 5 * time.Second

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
