package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
// copies. It must not serve what it can't verify. The balancer may not notice that the old
// server was down, and trusts the new one until the next check.
func corrupt(_ context.Context, c *cluster, victim *server) error {
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
	return c.run(victim)
}

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
