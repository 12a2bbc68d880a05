package datachain

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strconv"

	"github.com/datachain-go/datachain/taxonomy"
)

// A cursor is a fingerprint of the list that it belongs to, followed by an offset.
// A cursor of another version, other content or another query is refused.

const (
	fingerprintBytes = 12
	maxCursor        = 64 // longer than any cursor
)

// fingerprint identifies the list of a query; the limit does not matter.
func (q *ElementQuery) fingerprint(r *taxonomy.Release) []byte {
	h := sha256.New()
	for _, part := range []string{r.Version().String(), r.ContentHash().String(), q.CategoryID, q.Text, q.Locale} {
		h.Write(strconv.AppendQuote(nil, part))
	}
	return h.Sum(nil)[:fingerprintBytes]
}

// cursor returns the cursor of an offset.
func (q *ElementQuery) cursor(r *taxonomy.Release, offset int) string {
	token := binary.AppendUvarint(q.fingerprint(r), uint64(offset))
	return base64.RawURLEncoding.EncodeToString(token)
}

// offset returns the offset that the cursor of the query holds.
func (q *ElementQuery) offset(r *taxonomy.Release) (int, error) {
	if q.Cursor == "" {
		return 0, nil
	}
	if len(q.Cursor) <= maxCursor {
		token, err := base64.RawURLEncoding.DecodeString(q.Cursor)
		if err == nil && len(token) > fingerprintBytes {
			offset, _ := binary.Uvarint(token[fingerprintBytes:])
			// Another encoding of the same bytes was not issued here.
			if 0 < offset && offset < uint64(len(r.ElementIDs())) && q.cursor(r, int(offset)) == q.Cursor {
				return int(offset), nil
			}
		}
	}
	return 0, malformed("cursor", nil, "retry without a cursor", "Invalid pagination cursor.")
}
