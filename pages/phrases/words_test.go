package phrases_test

import (
	"testing"

	"github.com/datachain-go/datachain/internal/wordtable/wordtabletest"
)

func TestKeys(t *testing.T) { wordtabletest.Check(t) }
