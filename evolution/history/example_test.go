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

	outcome := history.Of(taxonomy.MustVersion(first), june).ContextValue(goal, "night")
	fmt.Println(outcome.Now().ID)
	// Output: evening
}
