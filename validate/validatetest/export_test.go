package validatetest

import (
	"context"

	"github.com/datachain-go/datachain/validate"
)

// Problems returns what [Run] reports, by the name of the case; "" is the rule.
func Problems(ctx context.Context, rule *validate.Rule, cases []Case) map[string]string {
	all := map[string]string{}
	if problem := suiteProblem(rule, cases); problem != "" {
		all[""] = problem
		return all
	}
	for _, c := range cases {
		if problem := c.problem(ctx, rule); problem != "" {
			all[c.Name] = problem
		}
	}
	return all
}
