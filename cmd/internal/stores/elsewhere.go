package stores

import (
	"context"
	"os"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/taxonomy"
)

// maxSearched is how many directories are searched for a version.
const maxSearched = 200

// Elsewhere returns a function that looks for a version outside of a location: in the working
// directory, in the directories below it and in the samples. The function returns the flag that
// names where the version is, or "". It is safe for concurrent use, and looks once for each version.
func Elsewhere(except Location, o *Options) func(taxonomy.Ref) string {
	var mu sync.Mutex
	found := make(map[taxonomy.Ref]string)
	return func(ref taxonomy.Ref) string {
		mu.Lock()
		defer mu.Unlock()
		flag, known := found[ref]
		if !known {
			flag = search(ref, except, o)
			found[ref] = flag
		}
		return flag
	}
}

func search(ref taxonomy.Ref, except Location, o *Options) string {
	dirs := []string{"."}
	entries, _ := os.ReadDir(o.Dir) // as far as it can be read
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && len(dirs) < maxSearched {
			dirs = append(dirs, e.Name())
		}
	}
	searched := except.Schemas + except.Store
	for _, dir := range dirs {
		path := files.Absolute(o.Dir, dir)
		if searched != "" && files.Absolute(o.Dir, searched) == path {
			continue
		}
		if sources.IsStore(path) {
			if opens(Location{Store: dir}, ref, o) {
				return "--store " + report.Quoted(dir)
			}
		} else if s := sources.In(o.Dir, dir); s != nil {
			found := s.Within == "" && hasVersion(s, ref)
			_ = s.Root.Close() // only read
			if found {
				return "--schemas " + report.Quoted(dir)
			}
		}
	}
	if !except.Samples && opens(Location{Samples: true}, ref, o) {
		return "--samples"
	}
	return ""
}

// opens reports whether a location can be opened and has a version.
func opens(l Location, ref taxonomy.Ref, o *Options) bool {
	opened, err := Open(context.Background(), l, o)
	if err != nil {
		return false
	}
	defer opened.Close()
	return hasVersion(opened, ref)
}

// hasVersion reports whether a store has a version that can be read.
func hasVersion(s taxonomy.Store, ref taxonomy.Ref) bool {
	x, err := s.Index(context.Background())
	if err != nil {
		return false
	}
	e, ok := x.Lookup(ref)
	if ok {
		_, err = s.Release(context.Background(), e.ID)
	}
	return ok && err == nil
}
