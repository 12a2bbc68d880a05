package source

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Versions returns the schema versions of a source tree in the order of an
// index, and the problems with its directories. It returns an error only if it
// cannot list the root.
//
// A directory of the root is a datachain type if it has a directory whose name
// starts with a date. Everything else in the root is ignored.
func Versions(fsys fs.FS) ([]taxonomy.Version, issue.Issues, error) {
	types, err := folder.ReadDir(fsys, ".")
	if err != nil {
		return nil, nil, fmt.Errorf("source: %w", err)
	}
	var versions []taxonomy.Version
	var found folder.Findings
	for _, typ := range types {
		if typ.IsDir(fsys) {
			versions = append(versions, versionsOf(fsys, typ, &found)...)
		}
	}
	slices.SortFunc(versions, taxonomy.Version.Compare)
	return versions, found.Sorted("."), nil
}

// versionsOf returns the versions of a datachain type.
func versionsOf(fsys fs.FS, typ folder.Entry, found *folder.Findings) (versions []taxonomy.Version) {
	entries, err := folder.ReadDir(fsys, typ.Name)
	if err != nil {
		found.Errorf(codes.SourceUnreadable, folder.WholeFile(typ.Name), "make the directory readable", "Cannot read %s: %s.", typ.Name, wording.Reason(err))
		return nil
	}
	if !slices.ContainsFunc(entries, func(f folder.Entry) bool { return looksDated(f.Base()) && f.IsDir(fsys) }) {
		return nil
	}
	for _, f := range entries {
		if f.Stem() == evolutionStem && folder.IsData(f.Ext()) {
			continue
		}
		v, err := taxonomy.ParseVersion(typ.Base() + "@" + f.Base())
		switch at := folder.WholeFile(f.Name); {
		case !looksDated(f.Base()):
			found.Warnf(codes.SourceFileUnknown, at, "remove it, or rename it if it is a schema version", "%s is ignored: its name is not <date>-<status>.", f.Name)
		case !f.IsDir(fsys):
			found.Errorf(codes.SourceUnreadable, at, "replace it with a directory", "%s is not a directory of the source tree.", f.Name)
		case err != nil:
			found.Errorf(codes.VersionMalformed, at, "rename the directories to <type>/<YYYY-MM-DD>-beta or -stable", "Invalid directory name: %s.", wording.Reason(err))
		default:
			versions = append(versions, v)
		}
	}
	return versions
}

// nested reports datachain types that are one level too deep, in a directory of the root that is not a
// type. Only compiling a whole tree looks for them, since the root can have many other directories.
func nested(fsys fs.FS) issue.Issues {
	var found folder.Findings
	for typ := range subdirectories(fsys, ".") {
		isType := false
		var below []string
		for sub := range subdirectories(fsys, typ.Name) {
			isType = isType || looksDated(sub.Base())
			for v := range subdirectories(fsys, sub.Name) {
				if _, err := taxonomy.ParseVersion(sub.Base() + "@" + v.Base()); err == nil {
					below = append(below, sub.Name)
					break
				}
			}
		}
		if isType {
			continue // which reports what else is in it
		}
		for _, name := range below {
			found.Warnf(codes.SourceFileUnknown, folder.WholeFile(name), "move it to "+path.Base(name)+", beside the other types, or lint "+typ.Name+" by itself",
				"%s is ignored: it has schema versions, but is one level too deep for a datachain type.", name)
		}
	}
	return found.Sorted(".")
}

// subdirectories yields the directories in a directory, as far as it can be read.
func subdirectories(fsys fs.FS, dir string) iter.Seq[folder.Entry] {
	return func(yield func(folder.Entry) bool) {
		entries, _ := folder.ReadDir(fsys, dir)
		for _, f := range entries {
			if f.IsDir(fsys) && !yield(f) {
				return
			}
		}
	}
}

// looksDated reports whether a name is meant to start with a date.
func looksDated(name string) bool {
	return len(name) >= 4 && strings.Trim(name[:4], "0123456789") == "" && strings.Contains(name, "-")
}

// Directory returns the directory of a version in a source, slash-separated.
func Directory(v taxonomy.Version) string { return path.Join(v.Type(), v.Folder()) }
