package terminal_test

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/terminal"
)

func Example() {
	for _, colored := range []bool{true, false} {
		s := terminal.Style(colored)
		fmt.Printf("%q %q\n", s.Red("error"), s.Bold(""))
	}
	// Output:
	// "\x1b[31merror\x1b[0m" ""
	// "error" ""
}
