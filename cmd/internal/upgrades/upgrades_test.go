package upgrades_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/upgrades"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// upgraded is a document that needs a decision.
func upgraded(name string, line int) *upgrades.File {
	return &upgrades.File{File: name, Report: &upgrade.Report{
		Changed: true, Counts: upgrade.Counts{NeedsPerson: 1},
		Entries: []upgrade.ReportEntry{{Kind: "element_removed", Class: upgrade.NeedsPerson, Message: "It is gone.", FixHint: "choose another", Position: issue.Position{Line: line}}},
	}}
}

func TestReport(t *testing.T) {
	for name, c := range map[string]struct {
		documents int
		want      string
	}{
		"detailed": {2, "a.json:1: needs a decision: It is gone. [element_removed]\n  hint: choose another\n\n" +
			"b.json:2: needs a decision: It is gone. [element_removed]\n  hint: choose another\n\n2 files, 2 to change, 2 not finished: 2 need a decision\nnothing was written; use --write to change the files\n"},
		"grouped": {21, "needs a decision:\n  It is gone. [element_removed]\n      2 documents: a.json:1, b.json:2\n      hint: choose another\n\n21 files, 2 to change, 2 not finished: 2 need a decision\nnothing was written; use --write to change the files\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			r := upgrades.NewReport(&b, upgrades.Options{Documents: c.documents})
			require.NoError(t, r.Add(upgraded("a.json", 1)))
			require.NoError(t, r.Add(upgraded("b.json", 2)))
			require.NoError(t, r.End())
			require.Equal(t, c.want, b.String())
			require.False(t, r.Summary.OK())
		})
	}
}

// TestReportFailed returns why documents were skipped, or not upgraded.
func TestReportFailed(t *testing.T) {
	var b strings.Builder
	r := upgrades.NewReport(&b, upgrades.Options{Documents: 1})
	require.NoError(t, r.Add(upgrades.Skipped("a.json", upgrade.ErrAnotherType)))
	require.EqualError(t, r.End(), "a.json: another datachain type")
	require.Empty(t, b.String())

	r = upgrades.NewReport(&b, upgrades.Options{Documents: 60})
	for i := range 60 {
		require.NoError(t, r.Add(upgrades.Failed(fmt.Sprint(i), errors.New("can't be read"))))
	}
	err := r.End()
	require.ErrorContains(t, err, "49: can't be read\nand 10 more files")
	require.Equal(t, 60, r.Summary.Unreadable)
}
