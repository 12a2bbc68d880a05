package source

import (
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// Starter returns the files of a small schema version to begin a new datachain
// type from, by path relative to the version's folder. It compiles without a
// finding.
func Starter(v taxonomy.Version) map[string][]byte {
	files := make(map[string][]byte)
	for name, text := range starterFiles {
		files[name] = []byte(strings.ReplaceAll(text, "TYPE", v.Type()))
	}
	return files
}

// starterFiles is read only. TYPE stands for the datachain type.
var starterFiles = map[string]string{
	"schema.yaml": `# The first locale is the fallback; every text should have all of them.
locales: [en]
title:
  en: A taxonomy for TYPE
description:
  en: Say in a sentence or two what datachains of this type describe, and for whom.

datachain_type:
  id: "TYPE"
  name:
    en: "TYPE"
  # The order of the categories here is the order in which people see them.
  categories: [purpose, contact]
`,
	"categories/purpose.yaml": `id: purpose
name:
  en: Purpose
description:
  en: Why the system is there.
shape: hexagon # or circle, octagon, rounded-square
required: true
prompt:
  en: What is the system for?
`,
	"categories/contact.yaml": `id: contact
name:
  en: Contact
description:
  en: Who answers questions about the system.
shape: circle
# Every element of the category has these variables.
variables:
  - id: address
    label:
      en: E-mail or telephone
    required: true
`,
	"elements/purpose.yaml": `# One element, or a list of them as here.
- id: purpose.service
  category_id: purpose
  symbol_id: service
  title:
    en: Providing a service
  description:
    en: The system helps to provide a service that people have asked for.
  keywords:
    en: help, offer
`,
	"elements/contact.yaml": `- id: contact.office
  category_id: contact
  symbol_id: letter
  title:
    en: Office
  description:
    en: "Write to or call {{address}}."
`,
	"symbols/service.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M10 18.5l5.5 5.5L26 12.5"/></svg>
`,
	"symbols/letter.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><rect x="9.5" y="12" width="17" height="12" rx="1.5"/><path d="M10 13l8 6.5 8-6.5"/></svg>
`,
}
