/** Serves a client over a port, for a Worker of your own. The script does it by itself in a dedicated Worker. */
export function serve(port: MessagePort): void;
