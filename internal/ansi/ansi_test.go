package ansi_test

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/ansi"
)

func Example() {
	for _, terminal := range []bool{true, false} {
		s := ansi.Style(terminal)
		fmt.Printf("%q %q\n", s.Red("error"), s.Bold(""))
	}
	// Output:
	// "\x1b[31merror\x1b[0m" ""
	// "error" ""
}
