package pack_test

import (
	"bytes"
	"fmt"
	"io"

	"github.com/datachain-go/datachain/internal/pack"
)

func Example() {
	var file bytes.Buffer
	w := pack.NewWriter(&file)
	_ = w.Begin(pack.Icons)
	err := pack.WriteTable(w, pack.Contents{
		Keys:   []string{pack.IconKey("camera", "dark"), pack.IconKey("lidar", "dark")},
		Shares: []uint32{0, 0}, // both have the same icon
		Sizes:  []int{6},
		WriteValues: func(w io.Writer) error {
			_, err := io.WriteString(w, "<svg/>")
			return err
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	p, err := pack.Open(file.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	section, _ := p.Section(pack.Icons)
	icons, err := pack.OpenTable(section)
	if err != nil {
		fmt.Println(err)
		return
	}
	icon, ok := icons.Get(pack.IconKey("lidar", "dark"))
	fmt.Printf("%s %v, %d of %d\n", icon, ok, icons.Values(), icons.Len())
	// Output: <svg/> true, 1 of 2
}
