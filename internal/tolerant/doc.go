// Package tolerant parses JSON that is being typed.
//
// [Parse] accepts any bytes and returns a [Tree] with the position of every key and
// value. [Tree.At] says what is at an offset: the object or array around it,
// whether a key or a value belongs there, which text a completion replaces, and
// which punctuation is missing. Editors use it for completion, symbols, folding and
// selection; whether a document is valid is decided by [document.Parse].
//
// For strict JSON the tree is that of [document.Parse]. In other texts errors stay
// local, and keys and values next to them keep their path:
//
//   - a missing comma or colon is inferred, an extra one is skipped;
//   - a string without a closing quote ends at the end of its line, before the
//     comma and brackets that follow it;
//   - a key without a value is a member of kind 0;
//   - a bracket that closes an outer object or array closes the inner ones too, and
//     a bracket that closes nothing is skipped;
//   - an object that starts where a key is expected is the next item of the array
//     around, because the brace before it is likely missing;
//   - bare words are values and keys, comments and a byte order mark are skipped.
//
// Parsing takes linear time. Objects and arrays that nest deeper than
// [document.MaxDepth] have no children in the tree.
package tolerant
