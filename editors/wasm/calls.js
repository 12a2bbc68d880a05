// Calls between a page and its Worker, over a MessagePort.

// connect answers calls of the other side with functions by name, and returns a function
// that calls those of the other side.
export function connect(port, functions) {
  const waiting = new Map();
  let last = 0;
  port.onmessage = async ({data: {id, call, args, value, error}}) => {
    if (call) {
      try {
        port.postMessage({id, value: await functions[call](...args)});
      } catch (e) {
        port.postMessage({id, error: e.message});
      }
      return;
    }
    const {resolve, reject} = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(value);
    else reject(new Error(error));
  };
  return (call, ...args) => new Promise((resolve, reject) => {
    waiting.set(++last, {resolve, reject});
    port.postMessage({id: last, call, args});
  });
}
