package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
