// Package gettext writes the texts of a schema version as a PO file of GNU gettext, for
// translators, and reads translations from it.
//
// A PO file is for one locale. Each entry is one text: its context (msgctxt) says where
// the text is, such as element/purpose.safety/title, its id (msgid) is the text in the
// first locale of the version, and its value (msgstr) the translation, which is empty
// while there is none.
package gettext
