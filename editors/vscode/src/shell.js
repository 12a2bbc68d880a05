// The page of a panel. Nothing here needs VS Code.
import panel from './panel.html';

/**
 * shell returns the page of a panel. Its policy allows only its own script and style
 * sheets, by a nonce; that script inserts the pages of documents without running anything
 * in them.
 * @param {string} nonce
 */
export function shell(nonce) {
  return panel.replaceAll('NONCE', () => nonce);
}
