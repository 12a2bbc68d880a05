// The example page on a server of its own, with a Content-Security-Policy as strict as the
// editor allows.
import {randomBytes} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {build, host, root, samples} from '../../wasm/test/world.mjs';

const policy = (nonce) => [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", `style-src 'self' 'nonce-${nonce}'`,
  "img-src data:", "connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
].join('; ');

// site publishes the sample taxonomies and serves the page.
export async function site() {
  await samples(join(build, 'store/samples')); // where example.js looks for them
  const server = await host(root, {'Content-Security-Policy': policy('none')}, (request, response) => {
    if (new URL(request.url, 'http://x').pathname !== '/editors/web/example/') return false;
    const nonce = randomBytes(16).toString('base64');
    const page = readFileSync(new URL('index.html', import.meta.url), 'utf8').replace('<script ', `<script nonce="${nonce}" `);
    response.writeHead(200, {'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy(nonce)}).end(page);
    return true;
  });
  return {...server, page: `${server.url}editors/web/example/`};
}
