package main

import (
	"errors"
	"fmt"
)

// advise adds a sentence to an error that says what to do.
func advise(err error, advice string) error { return fmt.Errorf("%w\n%s", err, advice) }

// errFindings ends a command that has printed what it found.
var errFindings = errors.New("there are findings")
