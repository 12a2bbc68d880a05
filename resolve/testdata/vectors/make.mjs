// Writes vectors.json: documents and the bundles that resolving must make of
// them, byte for byte. It shares no code with the Go package, and needs nothing
// but Node: run "node make.mjs" in this folder after a change of the documents.
import { readFileSync, writeFileSync } from "node:fs";

// RFC 8785: keys sorted by UTF-16 code units, which is how JavaScript sorts
// strings; strings and numbers as JSON.stringify writes them.
function canonical(v) {
  if (Array.isArray(v)) return "[" + v.map(canonical).join(",") + "]";
  if (v === null || typeof v !== "object") return JSON.stringify(v);
  return "{" + Object.keys(v).sort().map((k) => JSON.stringify(k) + ":" + canonical(v[k])).join(",") + "}";
}

function resolve(release, document) {
  const placed = new Set(document.elements.map((p) => p.element_id));
  const elements = release.elements.filter((e) => placed.has(e.id));
  const used = new Set(elements.map((e) => e.category_id));
  const categories = release.categories.filter((c) => used.has(c.id));
  return {
    title: [],
    description: [],
    ...document,
    schema_snapshot: { datachain_type: release.datachain_type, categories, elements },
    suggested_elements: [],
  };
}

const release = JSON.parse(readFileSync("release.json", "utf8"));
const documents = JSON.parse(readFileSync("documents.json", "utf8"));
const vectors = documents.map(({ name, document }) => ({
  name,
  document,
  bundle: canonical(resolve(release, JSON.parse(document))),
}));
writeFileSync("vectors.json", JSON.stringify(vectors, null, 1) + "\n");
