// Lints the description of the API: every finding, warnings included, is too many.
import {createConfig, formatProblems, getTotals, lint} from '@redocly/openapi-core';

const config = await createConfig({extends: ['recommended-strict']});
const problems = await lint({ref: process.argv[2], config});
if (problems.length > 0) {
  formatProblems(problems, {format: 'codeframe', totals: getTotals(problems), version: ''});
  process.exit(1);
}
console.log('lint: no findings');
