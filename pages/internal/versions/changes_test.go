package versions

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/internal/words"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// An item of a list can have the name of a field.
func TestNamedItems(t *testing.T) {
	q := &core.Request{Words: words.In("en")}
	path := issue.Root.Key("variables").Key("title").Key("renamed_from").Key("order")
	assert.Equal(t, []fieldStep{{Word: "Variable"}, {ID: "title"}, {Word: "Former ids"}, {ID: "order"}}, fieldOf(q, &diff.Change{Path: path}))
}
