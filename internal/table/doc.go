// Package table writes the elements of a schema version as a table, one row an element,
// and reads changes from such a table, so that people can translate and edit them in a
// spreadsheet.
//
// The columns are:
//
//	id, category_id, symbol_id, order                the position is empty for 0
//	status, max_placements, lead                     if an element has them
//	title:en, description:en, keywords:en            texts of each locale
//	authoring_guidance:en, example:1:en              if an element has them
//	variable:<id>:label:en                           variables of the element itself, not
//	variable:<id>:required                           those that it inherits from its category;
//	variable:<id>:type                               required is true or empty, type select or
//	variable:<id>:role                               empty for text
//	variable:<id>:option:<id>:label:en
//	variable:<id>:option:<id>:description:en
//	variable:<id>:option:<id>:applies_to             element ids, separated by spaces
//	mapping:<scheme>:<entry>                         the relation, such as close
//
// Notes of mappings, successors, sources and former ids of elements are not part of the
// table and are kept as they are when a table is imported.
//
// A table is CSV as in RFC 4180, in UTF-8. Texts that a spreadsheet could take for a
// formula have an apostrophe before them, which is removed when the table is read.
package table
