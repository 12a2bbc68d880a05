package changes_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/changes"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func ExampleWords() {
	fmt.Println(changes.Words(diff.Words("Where a bike was taken.", "Where a scooter was taken."), false))
	// Output: Where a [-bike-]{+scooter+} was taken.
}

func TestNewEffect(t *testing.T) {
	r := &diff.Report{Changes: []diff.Change{{Rule: "unused"}, {Rule: "element-removed", Subject: diff.Element, ID: "data.trips", Consequence: "gone"}}}
	judged := func(file string, o diff.Outcome) changes.EffectFile {
		return changes.EffectFile{File: file, Outcome: o}
	}
	broken := judged("c.json", diff.Invalid)
	broken.Findings = issue.Issues{{Code: "X", Message: "Wrong."}}
	e := changes.NewEffect(r, []changes.EffectFile{judged("a.json", diff.Unaffected), judged("b.json", diff.Skipped), broken})
	require.False(t, e.OK)
	require.Equal(t, changes.EffectCounts{Total: 3, Invalid: 1, Unaffected: 1, Skipped: 1}, e.Documents)
	require.Len(t, e.Files, 2)
	require.Empty(t, e.Changes)
}
