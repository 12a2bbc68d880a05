// The Worker that searches a static site and answers its form. The first message says where its
// files are, others ask for pages.
let ask;

onmessage = async ({data: {id, open, part, body}}) => {
  try {
    if (open) ask = await start(open);
    postMessage({id, answer: part && await ask(part, body)});
  } catch (e) {
    postMessage({id, error: e.message});
  }
};

// start runs the module with the releases of the site.
async function start({module, loader, api, base}) {
  importScripts(loader); // defines Go
  const go = new self.Go();
  const {instance} = await WebAssembly.instantiateStreaming(unpacked(await bytes(module)), go.importObject);
  let functions;
  self.__datachain_ready = (f) => { functions = f; };
  const end = () => setTimeout(() => { throw new Error('The module has ended.'); }); // the page hears of no rejection
  go.run(instance).then(end, end); // up to where it waits for calls
  return functions.open({
    base,
    index: () => bytes(api),
    release: (needed) => bytes(new URL(`schemas/${JSON.parse(needed).id}/release.json`, api)),
  });
}

// unpacked returns the module as a response, whatever the host says about its type. Some hosts
// declare that .gz files are compressed: browsers have unpacked them then.
function unpacked(packed) {
  let stream = new Blob([packed]).stream();
  if (packed[0] === 0x1f && packed[1] === 0x8b) stream = stream.pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream, {headers: {'Content-Type': 'application/wasm'}});
}

async function bytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
