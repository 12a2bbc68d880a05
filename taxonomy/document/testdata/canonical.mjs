// Writes canonical.json, with an engine whose JSON.stringify is the definition
// that RFC 8785 refers to:
//
//	node canonical.mjs > canonical.json
//
// Each case is a JSON text and its canonical form.

function canonical(value) {
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  // sort() without a comparison compares UTF-16 code units.
  const keys = Object.keys(value).sort();
  return "{" + keys.map((k) => JSON.stringify(k) + ":" + canonical(value[k])).join(",") + "}";
}

// A small generator, so that the file comes out the same each time.
let state = 0x2545f4914f6cdd1dn;
function random() {
  state ^= (state << 13n) & 0xffffffffffffffffn;
  state ^= state >> 7n;
  state ^= (state << 17n) & 0xffffffffffffffffn;
  return state;
}
function randomFloat() {
  const view = new DataView(new ArrayBuffer(8));
  for (;;) {
    view.setBigUint64(0, random());
    const f = view.getFloat64(0);
    if (Number.isFinite(f) && Math.abs(f) <= Number.MAX_SAFE_INTEGER) return f;
  }
}

const texts = [
  // RFC 8785, section 3.2.2, without the one number that is beyond 2^53.
  '{"numbers":[4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  // RFC 8785, section 3.2.3.
  '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
  // A surrogate pair sorts before U+E000 and all after it, unlike in UTF-8.
  '{"\\uffff":1,"\\ud800\\udc00":2,"\\ue000":3,"\\ud7ff":4,"\\udbff\\udfff":5}',
  '{"b":{"z":1,"a":2},"a":[{"d":1,"c":2}],"aa":0,"":0,"A":0,"a\\u0000":0}',
  ' { } ', '[ ]', '[[],{},[{}]]', 'null', ' true', '"\\u007f\\u2028\\u2029\\u00ad"', '"\\b\\t\\n\\f\\r\\u0000\\u001f\\u000b"',
  '"<script>&amp;</script>"', '"\\ud83d\\ude00 \\u00e9 \\u0065\\u0301"',
];
const numbers = [
  "0", "-0", "0.0", "-0e-400", "0E+400", "1", "-1", "1.0", "10e-1", "1E2", "1e+2", "100", "0.1", "1e-1", "0.10", "123e-20",
  "9007199254740991", "-9007199254740991", "9007199254740990.6", "900719925474099.25", "4503599627370497.5",
  "1e15", "999999999999999.9", "1e-6", "1e-7", "0.000001", "0.0000001", "0.00000123", "123.456e-9",
  "5e-324", "-5e-324", "4.9406564584124654e-324", "3e-324", "2.2250738585072014e-308", "2.225073858507201e-308",
  "333333333.33333329", "333333333.33333325", "333333333.3333332", "0.30000000000000004", "1.7976931348623157e-8",
  "1424953923781206.2", "0.1000000000000000055511151231257827", "295147905179352.8256",
];
for (let i = 0; i < 100; i++) numbers.push(randomFloat().toExponential());
for (let i = 0; i < 60; i++) numbers.push(String(Number(random() % 18014398509481981n - 9007199254740990n)));
for (let i = 0; i < 40; i++) numbers.push((Number(random() % 2000000000n) / 1000).toFixed(9));
texts.push(...numbers);

console.log("[");
console.log(texts.map((text) => "  " + JSON.stringify([text, canonical(JSON.parse(text))])).join(",\n"));
console.log("]");
