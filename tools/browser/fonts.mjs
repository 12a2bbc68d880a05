// Fonts from npm, so that text looks the same on every machine.
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';

const files = {
  Inter: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'Noto Sans Arabic': '@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2',
  'JetBrains Mono': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
};
const resolve = createRequire(import.meta.url).resolve;

// pinFonts makes a page use our fonts, given the names of its properties with font families.
// The page must bypass its policy.
export async function pinFonts(page, {sans, mono}) {
  const fonts = {};
  for (const [name, file] of Object.entries(files)) fonts[name] = (await readFile(resolve(file))).toString('base64');
  await page.evaluate(async (fonts, sans, mono) => {
    for (const [name, data] of Object.entries(fonts)) {
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      document.fonts.add(await new FontFace(name, bytes, {weight: '100 900'}).load());
    }
    const {style} = document.documentElement;
    style.setProperty(sans, 'Inter, "Noto Sans Arabic"');
    if (mono) style.setProperty(mono, '"JetBrains Mono", "Noto Sans Arabic"');
  }, fonts, sans, mono);
}

// onlyPinned fails if a text of the page is drawn in a font of the machine.
export async function onlyPinned(page, name) {
  const client = await page.createCDPSession();
  await client.send('DOM.enable');
  await client.send('CSS.enable');
  const {root} = await client.send('DOM.getDocument');
  const {nodeId} = await client.send('DOM.querySelector', {nodeId: root.nodeId, selector: 'body'});
  const {fonts} = await client.send('CSS.getPlatformFontsForNode', {nodeId});
  const strange = fonts.filter((f) => !f.isCustomFont).map((f) => `${f.glyphCount} characters in ${f.familyName}`);
  assert.deepEqual(strange, [], `${name}: fonts of this machine`);
  await client.detach();
}
