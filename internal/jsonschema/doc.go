// Package jsonschema provides a JSON Schema for the documents of one schema version,
// for editors in which nothing is installed.
//
// [Instance] makes it from a release. It is the schema of the shape of documents,
// [validate.JSONSchema] with the name instance, and in addition has what the release
// says: the ids of elements with their titles and descriptions in one language, the
// contexts, variables and options of each, and how often categories are placed. It is
// standard JSON Schema (2020-12) and uses the annotations of vscode-json-languageservice
// (enumDetails, markdownEnumDescriptions, defaultSnippets, errorMessage), which other
// readers ignore.
//
// A document that [validate.Instance] accepts fits the schema. The reverse does not
// hold: JSON Schema can't express every rule, so only package validate has the verdict.
package jsonschema
