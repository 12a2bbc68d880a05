package targettest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
)

func TestMemoryTarget(t *testing.T) {
	targettest.Run(t, func(*testing.T) targettest.Opener {
		memory := new(targettest.Memory)
		return func(context.Context) (publish.Target, error) { return memory, nil }
	})
}

// A test of a target is one line and a way to open it.
func ExampleRun() {
	var t *testing.T // as TestTarget gets it
	targettest.Run(t, func(*testing.T) targettest.Opener {
		memory := new(targettest.Memory) // a new one for each clause
		return func(context.Context) (publish.Target, error) { return memory, nil }
	})
}

func ExampleMemory() {
	ctx := context.Background()
	var target targettest.Memory
	fmt.Println(target.Replace(ctx, layout.IndexFile, []byte("{}"), ""))
	// Another publisher that has found no index comes too late.
	fmt.Println(target.Replace(ctx, layout.IndexFile, []byte("{}"), ""))
	// Output:
	// <nil>
	// index.json: another publisher changed the store
}

// defective is a target with a defect.
type defective struct {
	*targettest.Memory
	defect string
}

func (b defective) is(defect string) bool { return b.defect == defect }

func (b defective) context(ctx context.Context, method string) context.Context {
	if b.is(method + " ignores the context") {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

func (b defective) String() string {
	if b.is("has no name") {
		return ""
	}
	return b.Memory.String()
}

func (b defective) Read(ctx context.Context, name string) ([]byte, publish.Revision, error) {
	text, rev, err := b.Memory.Read(b.context(ctx, "Read"), name)
	switch {
	case b.is("gives a missing file a revision") && rev == "":
		rev = "none"
	case b.is("has one revision for all") && rev != "":
		rev = "same"
	case b.is("fails without a file") && rev == "" && err == nil:
		err = fs.ErrNotExist
	}
	return text, rev, err
}

func (b defective) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	ctx = b.context(ctx, "Replace")
	if b.is("replaces any revision") || b.is("has one revision for all") || b.is("gives a missing file a revision") {
		_, rev, _ = b.Memory.Read(ctx, name)
	}
	err := b.Memory.Replace(ctx, name, text, rev)
	switch {
	case b.is("conflicts in words of its own") && errors.Is(err, publish.ErrConflict):
		err = errors.New("412 Precondition Failed")
	case b.is("replaces in spite of a conflict") && errors.Is(err, publish.ErrConflict):
		_ = b.Memory.Put(ctx, name, text)
	}
	return err
}

func (b defective) Create(ctx context.Context, name string, text []byte) error {
	ctx = b.context(ctx, "Create")
	if b.is("creates a file again") {
		return b.Memory.Put(ctx, name, text)
	}
	return b.Memory.Create(ctx, name, text)
}

func (b defective) Put(ctx context.Context, name string, data []byte) error {
	ctx = b.context(ctx, "Put")
	if b.is("cuts files") && len(data) > 1000 {
		data = data[:1000]
	}
	if b.is("does not replace files") {
		if err := b.Memory.Create(ctx, name, data); !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	}
	return b.Memory.Put(ctx, name, data)
}

func (b defective) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return b.Memory.Open(b.context(ctx, "Open"), name)
}

func (b defective) List(ctx context.Context, dir string) ([]string, error) {
	if b.is("lists nothing") {
		return nil, ctx.Err()
	}
	return b.Memory.List(b.context(ctx, "List"), dir)
}

func (b defective) Delete(ctx context.Context, name string) error {
	if b.is("deletes nothing") {
		return ctx.Err()
	}
	return b.Memory.Delete(b.context(ctx, "Delete"), name)
}

// TestTargetDefects shows that each defective target fails the clauses that it should,
// and that each clause can fail.
func TestTargetDefects(t *testing.T) {
	caught := map[string]bool{}
	for defect, clauses := range map[string][]string{
		"has no name":                     {"a new target is empty"},
		"fails without a file":            {"a new target is empty"},
		"gives a missing file a revision": {"a new target is empty"},
		"has one revision for all":        {"a file is the last one", "a stale revision conflicts"},
		"replaces any revision":           {"a stale revision conflicts", "several publishers lose nothing"},
		"conflicts in words of its own":   {"a stale revision conflicts"},
		"replaces in spite of a conflict": {"a stale revision conflicts"},
		"creates a file again":            {"a file is created once"},
		"cuts files":                      {"a file is put in place of another", "a release is published whole"},
		"does not replace files":          {"a file is put in place of another", "damaged archives are repaired"},
		"lists nothing":                   {"files are listed and deleted", "unused archives are collected"},
		"deletes nothing":                 {"files are listed and deleted", "unused archives are collected"},
		"Read ignores the context":        {"canceled contexts end calls"},
		"Replace ignores the context":     {"canceled contexts end calls"},
		"Create ignores the context":      {"canceled contexts end calls"},
		"Put ignores the context":         {"canceled contexts end calls"},
		"Open ignores the context":        {"canceled contexts end calls"},
		"List ignores the context":        {"canceled contexts end calls"},
		"Delete ignores the context":      {"canceled contexts end calls"},
		"loses files that bind":           {"stable versions stay bound"},
	} {
		for _, clause := range clauses {
			caught[clause] = true
			t.Run(defect+"/"+clause, func(t *testing.T) {
				t.Parallel()
				memory := defective{new(targettest.Memory), defect}
				var target publish.Target = memory
				if defect == "loses files that bind" {
					target = forgetful{memory}
				}
				err := targettest.Check(t.Context(), clause, func(context.Context) (publish.Target, error) { return target, nil })
				require.Error(t, err)
				t.Log(err)
			})
		}
	}
	for _, clause := range targettest.Clauses() {
		require.True(t, caught[clause], "no defect shows that %q can fail", clause)
	}
}

// forgetful is a target that does not keep what it creates.
type forgetful struct{ defective }

func (f forgetful) Create(ctx context.Context, _ string, _ []byte) error { return ctx.Err() }
