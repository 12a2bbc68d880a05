(() => {
  const root = document.documentElement;

  const host = window.parent;
  if (host === window) return;

  // In a host: JSON-RPC over postMessage, as specified by MCP Apps (2026-01-26).
  const fragmentKey = "io.github.datachain-go/fragment";
  const waiting = new Map();
  let lastID = 0, canOpen = false, connected = false;

  const send = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method, params) => send({ method, params });
  const request = (method, params) => new Promise((resolve, reject) => {
    const id = ++lastID;
    waiting.set(id, { resolve, reject });
    send({ id, method, params });
  });

  const context = (c) => {
    if (!c || typeof c !== "object") return;
    if (c.theme === "light" || c.theme === "dark") root.dataset.theme = c.theme;
    const font = c.styles && c.styles.variables && c.styles.variables["--font-sans"];
    if (typeof font === "string") root.style.setProperty("--font-sans", font);
  };

  // Size.
  let width = 0, height = 0, planned = false;
  const measure = () => {
    planned = false;
    const box = root.getBoundingClientRect();
    const w = Math.ceil(root.clientWidth), h = Math.ceil(box.height);
    if (!connected || w === width && h === height) return;
    width = w;
    height = h;
    notify("ui/notifications/size-changed", { width, height });
  };
  const plan = () => {
    if (!planned) {
      planned = true;
      requestAnimationFrame(measure);
    }
  };
  const sizes = new ResizeObserver(plan);

  // Results. A fragment is parsed into a separate document, which runs nothing, and
  // everything that our pages never have is removed.
  const never = "script,style,link,meta,base,iframe,frame,object,embed,form,input,button,textarea,select,img,video,audio,foreignObject,animate,set";
  const lead = /^(https?:\/\/|mailto:|tel:|#)/i;
  const parse = (html) => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    for (const e of parsed.querySelectorAll(never)) e.remove();
    for (const e of parsed.querySelectorAll("main, main *")) {
      for (const a of [...e.attributes]) {
        const name = a.name.toLowerCase();
        if (name.startsWith("on") || name === "style" || name.endsWith("href") && !lead.test(a.value)) e.removeAttribute(a.name);
      }
    }
    return [...parsed.querySelectorAll("main")]; // one for each language
  };
  const show = (mains) => {
    const [main] = mains, [first, ...others] = document.querySelectorAll("main");
    for (const other of others) other.remove();
    first.replaceWith(...mains.map((m) => document.importNode(m, true)));
    root.lang = main.lang || "en";
    root.dir = main.dir || "ltr";
    document.title = root.dataset.title = main.dataset.title || "datachain";
    document.dispatchEvent(new Event("shown"));
    plan();
  };

  const words = (value, most) => typeof value === "string" ? value.slice(0, most) : "";

  // trouble shows a message instead of a datachain.
  const trouble = (heading, line, issues) => {
    const main = document.createElement("main");
    const add = (to, name, text) => to.appendChild(Object.assign(document.createElement(name), { textContent: text }));
    main.id = "datachain";
    main.className = "trouble";
    main.lang = "en";
    main.dir = "ltr";
    main.dataset.title = "datachain";
    add(main, "h1", heading);
    add(main, "p", line).setAttribute("role", "status");
    if (issues.length) {
      const list = add(main, "ul", "");
      for (const issue of issues.slice(0, 50)) {
        const item = add(list, "li", words(issue && issue.message, 1000));
        item.dir = "auto";
        const path = words(issue && issue.path, 200);
        if (path) add(item, "code", path);
      }
    }
    show([main]);
  };

  // served is set while the page shows the datachain that it came with.
  let served = !document.querySelector("main.waiting");
  const result = (params) => {
    const html = params && params._meta && params._meta[fragmentKey];
    const mains = typeof html === "string" ? parse(html) : [];
    if (mains.length) {
      served = false;
      show(mains);
      return;
    }
    const answer = params && params.structuredContent;
    // A result without a fragment is too large; the host has loaded this page after it.
    if (served && answer && answer.ok === true) return;
    served = false;
    const issues = answer && Array.isArray(answer.errors) ? answer.errors : [];
    if (issues.length) trouble("This datachain can’t be shown", "It has errors. The assistant can fix them and try again.", issues);
    else trouble("Nothing to show", "The tool returned no page.", []);
  };

  const notifications = {
    "ui/notifications/tool-result": result,
    "ui/notifications/tool-cancelled": () => {
      if (document.querySelector("main.waiting")) trouble("Nothing to show", "The tool call was cancelled.", []);
    },
    "ui/notifications/host-context-changed": context,
  };
  const requests = {
    "ping": () => ({}),
    "ui/resource-teardown": () => {
      sizes.disconnect();
      connected = false;
      return {};
    },
  };

  addEventListener("message", (event) => {
    const m = event.data;
    if (event.source !== host || !m || typeof m !== "object" || m.jsonrpc !== "2.0") return;
    if (typeof m.method !== "string") {
      const asked = waiting.get(m.id);
      if (!asked) return;
      waiting.delete(m.id);
      if (m.error) asked.reject(m.error);
      else asked.resolve(m.result);
    } else if (m.id === undefined) {
      if (Object.hasOwn(notifications, m.method)) notifications[m.method](m.params);
    } else if (Object.hasOwn(requests, m.method)) {
      send({ id: m.id, result: requests[m.method]() });
    } else {
      send({ id: m.id, error: { code: -32601, message: "Method not found" } });
    }
  });

  // Let the host open links if it can, but those within the page.
  addEventListener("click", (event) => {
    const a = event.target instanceof Element && event.target.closest("a[href]");
    if (!a) return;
    const to = a.getAttribute("href");
    if (to.startsWith("#")) { // a page in srcdoc has the address of the page around it
      event.preventDefault();
      location.hash = to;
      return;
    }
    if (!canOpen) return;
    event.preventDefault();
    request("ui/open-link", { url: a.href }).catch(() => {});
  });

  request("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name: "datachain", title: "Datachain View", version: "1.0.0" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  }).then((answer) => {
    connected = true;
    canOpen = Boolean(answer && answer.hostCapabilities && answer.hostCapabilities.openLinks);
    context(answer && answer.hostContext);
    notify("ui/notifications/initialized", {});
    sizes.observe(root);
    plan();
  }, () => {});
})();
