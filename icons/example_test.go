package icons_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/datachain-go/datachain/icons"
)

func ExampleSanitize() {
	symbol, issues := icons.Sanitize([]byte(`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" width="36" height="36">
  <title>Ring</title>
  <circle id="ring" style="fill:none; stroke:currentColor" cx="18" cy="18" r="12.0"/>
</svg>`))
	for _, issue := range issues {
		fmt.Println(issue.Position, issue.Code)
	}
	fmt.Println(symbol)
	fmt.Println(symbol.Paints())
	// Output:
	// 3:3 symbol_dropped
	// <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" fill="none" r="12" stroke="currentColor"/></svg>
	// [currentColor]
}

func ExampleSanitize_refused() {
	_, issues := icons.Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">
  <path d="M2 2h32" onclick="alert(1)"/>
</svg>`))
	for _, issue := range issues {
		fmt.Println(issue)
	}
	// Output:
	// 2:21: error symbol_unsafe: The attribute onclick="alert(1)" of <path> could run or load something. (remove the attribute; a symbol runs nothing)
}

func ExampleColor_Contrast() {
	ink, _ := icons.ParseColor("#000000")
	ground, _ := icons.ParseColor("#ffd700")
	fmt.Printf("%s on %s: %.1f to 1\n", ink, ground, ink.Contrast(ground))
	// Output:
	// #000000 on #FFD700: 15.0 to 1
}

func BenchmarkSanitize(b *testing.B) {
	for _, name := range []string{"figma", "inkscape"} {
		src, err := os.ReadFile("testdata/symbols/" + name + ".svg")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if symbol, issues := icons.Sanitize(src); symbol == nil {
					b.Fatal(issues)
				}
			}
		})
	}
}
