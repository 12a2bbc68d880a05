package lsp

import (
	"cmp"
	"fmt"

	"github.com/datachain-go/datachain/internal/wording"
)

// limits bound what is read of a workspace. Documents that are left out are validated when
// they are open; the client shows a message about them. 0 means the default.
type limits struct {
	// Entries is how many files and directories are looked at; the default is
	// 200,000.
	Entries int
	// Documents is how many documents are validated; the default is 20,000.
	Documents int
	// FileSize is the size limit of a document in bytes; the default is 16 MiB.
	FileSize int64
	// Bytes is how much is read in all; the default is 1 GiB.
	Bytes int64
	// Findings is how many findings are kept; the default is 100,000.
	Findings int
}

func (l limits) withDefaults() limits {
	return limits{
		Entries: cmp.Or(l.Entries, 200_000), Documents: cmp.Or(l.Documents, 20_000), FileSize: cmp.Or(l.FileSize, 16<<20),
		Bytes: cmp.Or(l.Bytes, 1<<30), Findings: cmp.Or(l.Findings, 100_000),
	}
}

// skipped is what was not looked at.
type skipped struct {
	entries, documents, findings   int // the limits that were reached
	bytes                          int64
	large, unreadable, deep, names tally
}

// tally counts files, and has the name of one of them.
type tally struct {
	count   int
	example string
}

func (t *tally) add(name string) {
	if t.count++; t.count == 1 {
		t.example = name
	}
}

// sizeText returns a number of bytes for people.
func sizeText(n int64) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// message tells what was left out and what to do, or is "".
func (l *skipped) message(most limits) string {
	var parts []string
	limit := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
	}
	limit(l.entries, "there are more than %d files")
	limit(l.documents, "there are more than %d documents")
	if l.bytes > 0 {
		parts = append(parts, "they have more than "+sizeText(l.bytes))
	}
	limit(l.findings, "there are more than %d findings")
	for _, t := range []struct {
		tally
		what string
	}{
		{l.large, "larger than " + sizeText(most.FileSize)},
		{l.unreadable, "unreadable"},
		{l.deep, fmt.Sprintf("nested deeper than %d directories", maxDepth)},
		{l.names, "named with bytes that are not UTF-8"},
	} {
		switch t.count {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("%s is %s", wording.Clip(t.example), t.what))
		default:
			parts = append(parts, fmt.Sprintf("%s and %d more are %s", wording.Clip(t.example), t.count-1, t.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("Not all documents of the workspace are checked: %s. Documents that you open are always checked. To check the others, open a smaller folder or run 'datachain validate'.", wording.And(parts))
}
