// A small host of MCP Apps, built with the official client and the official bridge. It runs
// in a browser; the test controls it through window.host.
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {AppBridge, getToolUiResourceUri, PostMessageTransport} from '@modelcontextprotocol/ext-apps/app-bridge';

const info = {name: 'test-host', version: '1.0.0'};
const frame = document.getElementById('app');
const client = new Client(info);
let bridge;

window.host = {
  sizes: [], links: [],

  // connect finds the tool and returns the URI of its view and its content before any call.
  async connect(url) {
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const {tools} = await client.listTools();
    const tool = tools.find((t) => t.name === 'render_datachain');
    const uri = getToolUiResourceUri(tool);
    return {uri, view: await this.read(uri)};
  },

  async read(uri) {
    return (await client.readResource({uri})).contents[0];
  },

  // embed shows a page in the frame and waits until it is initialized.
  async embed(html, theme) {
    bridge = new AppBridge(client, info, {openLinks: {}}, {hostContext: {theme, displayMode: 'inline', locale: 'en'}});
    const ready = new Promise((resolve) => bridge.addEventListener('initialized', resolve));
    bridge.addEventListener('sizechange', (size) => {
      this.sizes.push(size);
      if (size.height) frame.style.height = `${size.height}px`;
    });
    bridge.onopenlink = async ({url}) => {
      this.links.push(url);
      return {};
    };
    // Listen before the page sends a message.
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    frame.srcdoc = html;
    await ready;
    return {app: bridge.getAppVersion(), capabilities: bridge.getAppCapabilities()};
  },

  // render calls the tool.
  render: (args) => client.callTool({name: 'render_datachain', arguments: args}),

  // call calls the tool and sends the result to the page.
  async call(args) {
    await bridge.sendToolInput({arguments: args});
    const result = await this.render(args);
    await bridge.sendToolResult(result);
    return result;
  },

  post: (result) => bridge.sendToolResult(result),
  cancel: () => bridge.sendToolCancelled({reason: 'stopped'}),
  theme: (theme) => bridge.setHostContext({theme, displayMode: 'inline', locale: 'en'}),
  teardown: () => bridge.teardownResource({}),
};
