package command

import (
	"fmt"
)

// advise adds a sentence to an error that says what to do.
func advise(err error, advice string) error { return fmt.Errorf("%w\n%s", err, advice) }
