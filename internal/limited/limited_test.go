package limited_test

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/limited"
)

func TestRead(t *testing.T) {
	text, err := limited.Read(strings.NewReader("1234"), math.MaxInt64, 4)
	require.NoError(t, err)
	require.Equal(t, "1234", string(text))
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		r    io.Reader
		size int64 // that is expected
		want string
		err  error
	}{
		"empty":                   {strings.NewReader(""), 0, "", nil},
		"as large as the limit":   {strings.NewReader("1234"), 4, "1234", nil},
		"more than expected":      {strings.NewReader("1234"), 1, "1234", nil},
		"less than expected":      {iotest.OneByteReader(strings.NewReader("12")), 1 << 60, "12", nil},
		"nothing is known of it":  {strings.NewReader("1234"), -1, "1234", nil},
		"larger than the limit":   {strings.NewReader("123456"), 4, "12345", limited.ErrTooLarge},
		"it breaks off":           {io.MultiReader(strings.NewReader("12"), iotest.ErrReader(broken)), 4, "12", broken},
		"it breaks off after one": {io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(broken)), 4, "12345", limited.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := limited.Read(c.r, 4, c.size)
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.want, string(text))
		})
	}
}

func TestReadFile(t *testing.T) {
	fsys := fstest.MapFS{"small": {Data: []byte("1234")}, "large": {Data: []byte("12345")}, "pipe": {Mode: fs.ModeNamedPipe}, "dir/file": {}}
	text, info, err := limited.ReadFile(fsys, "small", 4)
	require.NoError(t, err)
	require.Equal(t, "1234", string(text))
	require.Equal(t, "small", info.Name())
	_, info, err = limited.ReadFile(fsys, "large", 4)
	require.ErrorIs(t, err, limited.ErrTooLarge)
	require.EqualValues(t, 5, info.Size())
	for name, want := range map[string]error{"pipe": limited.ErrNotRegular, "dir": limited.ErrNotRegular, "none": fs.ErrNotExist} {
		_, _, err := limited.ReadFile(fsys, name, 4)
		require.ErrorIs(t, err, want, name)
	}
}
