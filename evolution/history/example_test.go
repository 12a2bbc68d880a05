package history_test

import (
	"fmt"
	"testing"

	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/taxonomy"
)

func Example() {
	t := new(testing.T)
	june := version(t, second, value("evening", "In the evening", "night"))
	goal, _ := june.Category("goal")

	fate := history.Of(taxonomy.MustVersion(first), june).ContextValue(goal, "night")
	fmt.Println(fate.Now().ID)
	// Output: evening
}
