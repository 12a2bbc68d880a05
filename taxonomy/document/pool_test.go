package document_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// numbered returns a text with n values and a name.
func numbered(name string, n int) string {
	return fmt.Sprintf(`{"name":%q,"list":[%s0]}`, name, strings.Repeat(`{"a":1},`, n))
}

// TestPool parses documents of different sizes in the memory of others.
func TestPool(t *testing.T) {
	var pool document.Pool
	for _, p := range []*document.Pool{&pool, nil} {
		kept := make(map[string]string)
		for i, n := range []int{1000, 3, 0, 100_000, 5, 2000} {
			name := fmt.Sprint("document ", i)
			text := numbered(name, n)
			d, err := p.Parse([]byte(text))
			require.NoError(t, err)
			want, err := document.Parse([]byte(text))
			require.NoError(t, err)
			assert.Equal(t, string(want.Root().AppendCanonical(nil)), string(d.Root().AppendCanonical(nil)))
			assert.Equal(t, want.Point(len(text)), d.Point(len(text)))
			v, ok := d.Root().Get("name")
			require.True(t, ok)
			kept[name] = v.Text()
			p.Put(d)
			_, err = p.Parse([]byte(text[1:]))
			require.Error(t, err)
		}
		for name, text := range kept {
			assert.Equal(t, name, text, "texts remain valid")
		}
	}
}

// TestPoolConcurrently uses a pool from several goroutines.
func TestPoolConcurrently(t *testing.T) {
	var pool document.Pool
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 200 {
				text := numbered(fmt.Sprint(g), (g+1)*i)
				d, err := pool.Parse([]byte(text))
				if err != nil {
					t.Error(err)
					return
				}
				assert.Equal(t, len(text), d.Root().Range().End)
				list, _ := d.Root().Get("list")
				assert.Equal(t, (g+1)*i+1, list.Len())
				pool.Put(d)
			}
		})
	}
	group.Wait()
}
