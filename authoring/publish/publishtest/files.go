package publishtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/publish"
	"github.com/datachain-go/datachain/internal/published"
)

func checkFiles(ctx context.Context, t *target) error {
	files := []publish.File{
		file(published.ReleaseFile, strings.Repeat("release\r\n\x00", 200_000)),
		file("symbols/Lens-2.svg", "<svg/>"),
		file("symbols/_spare.svg", ""),
		file("icons/purpose.safety/default.svg", "é"),
		file("icons/purpose.safety/dark.svg", "dark"),
		file("more.files/deep/below.pack", "pack"),
	}
	if err := t.Write(ctx, dir, files); err != nil {
		return fmt.Errorf("Write: %w", err)
	}
	// A neighbour whose name begins like that of another directory.
	near := file("x.svg", "near")
	if err := t.Write(ctx, dir+"/icons-2", []publish.File{near}); err != nil {
		return fmt.Errorf("Write: %w", err)
	}
	if err := t.contains(ctx, dir+"/icons", file("purpose.safety/default.svg", "é"), file("purpose.safety/dark.svg", "dark")); err != nil {
		return err
	}
	return t.contains(ctx, dir, append(files, file("icons-2/x.svg", "near"))...)
}

func checkReplaces(ctx context.Context, t *target) error {
	old := []publish.File{file(published.ReleaseFile, "old"), file("symbols/a.svg", "a"), file("icons/a/dark.svg", "a")}
	write := func(dir string, files ...publish.File) error {
		if err := t.Write(ctx, dir, files); err != nil {
			return fmt.Errorf("Write(%s): %w", dir, err)
		}
		return nil
	}
	// The other releases stay as they are.
	others := []string{published.Dir(version, newer), published.Dir(promoted, hash)}
	for _, other := range append(others, dir, dir) {
		if err := write(other, old...); err != nil {
			return err
		}
	}
	if err := write(dir+"/icons", file("b/dark.svg", "b")); err != nil {
		return err
	}
	if err := t.contains(ctx, dir, old[0], old[1], file("icons/b/dark.svg", "b")); err != nil {
		return fmt.Errorf("after replacing a subdirectory: %w", err)
	}
	again := []publish.File{file(published.ReleaseFile, "new"), file("symbols/c.svg", "c")}
	if err := write(dir, again...); err != nil {
		return err
	}
	if err := t.contains(ctx, dir, again...); err != nil {
		return fmt.Errorf("after replacing a directory: %w", err)
	}
	for _, other := range others {
		if err := t.contains(ctx, other, old...); err != nil {
			return fmt.Errorf("after replacing another directory: %w", err)
		}
	}
	return nil
}

func checkFailedWrite(ctx context.Context, t *target) error {
	broken := errors.New("broken")
	files := []publish.File{file("a.svg", "a"), file("b.svg", "b"), file("c.svg", "c")}
	fails := slices.Concat(files[:2], []publish.File{{Name: "c.svg", Write: func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, broken)
	}}})
	for range 2 { // into a new directory, and into one that exists
		if err := wants("Write of a file that fails", t.Write(ctx, dir, fails), broken); err != nil {
			return err
		}
		if err := t.Write(ctx, dir, files); err != nil {
			return fmt.Errorf("Write after one that has failed: %w", err)
		}
		if err := t.contains(ctx, dir, files...); err != nil {
			return err
		}
	}
	return nil
}

func checkCanceled(ctx context.Context, t *target) error {
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	kept := file(published.ReleaseFile, "kept")
	if err := t.Write(ctx, dir, []publish.File{kept}); err != nil {
		return fmt.Errorf("Write: %w", err)
	}
	stored, err := t.lists(ctx, dir)
	if err != nil {
		return err
	}
	type call struct {
		name string
		call func() error
	}
	calls := []call{
		{"Index", func() error { _, _, err := t.Index(canceled); return err }},
		{"ReplaceIndex", func() error { return t.ReplaceIndex(canceled, []byte("{}"), "") }},
		{"List", func() error { _, err := t.List(canceled, dir); return err }},
		{"Open", func() error { _, err := t.Open(canceled, dir+"/"+published.ReleaseFile); return err }},
		{"Add", func() error { return t.Add(canceled, dir, file(published.PackFile, "new")) }},
		{"Create", func() error { return t.Create(canceled, published.Bound(promoted), []byte("new")) }},
		{"Touch", func() error { return t.Touch(canceled, dir) }},
		{"Stored", func() error { _, err := t.Stored(canceled); return err }},
		{"Remove", func() error { return t.Remove(canceled, stored) }},
	}
	if d, ok := t.Target.(publish.Directory); ok {
		calls = append(
			calls,
			call{"Write", func() error { return d.Write(canceled, dir, []publish.File{file("new.svg", "new")}) }},
			call{"Trim", func() error { return d.Trim(canceled, dir, published.ReleaseFile) }},
		)
	}
	if s, ok := t.Target.(publish.Shared); ok {
		calls = append(calls, call{"RemovePacks", func() error { return s.RemovePacks(canceled, stored, hash) }})
	}
	for _, c := range calls {
		if err := wants(c.name+" with a context that has ended", c.call(), context.Canceled); err != nil {
			return err
		}
	}
	if _, err := t.hasIndex(ctx, ""); err != nil {
		return err
	}
	if err := t.contains(ctx, dir, kept); err != nil {
		return err
	}
	if err := t.contains(ctx, path.Dir(published.Bound(promoted))); err != nil {
		return err
	}
	return checkCanceledWrite(ctx, t)
}

// checkCanceledWrite ends the context while files are written.
func checkCanceledWrite(ctx context.Context, t *target) error {
	canceled, cancel := context.WithCancel(ctx)
	defer cancel()
	var files []publish.File
	for i := range 100 {
		f := file(fmt.Sprintf("%d.svg", i), "text")
		if i == 50 {
			write := f.Write
			f.Write = func(w io.Writer) error {
				cancel()
				return write(w)
			}
		}
		files = append(files, f)
	}
	return wants("Write while the context ends", t.Write(canceled, published.Dir(version, newer), files), context.Canceled)
}
