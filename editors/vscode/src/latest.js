// Runs only the latest of many requests.

/**
 * Latest runs a task some time after the last call. A call cancels the one before: a task
 * that is running gets an aborted signal, and its result is dropped.
 */
export class Latest {
  /** @type {AbortController | undefined} */
  #running;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {number} delay in milliseconds
   * @param {(signal: AbortSignal) => Promise<(() => void) | void>} task returns what to do
   *   with the result
   * @param {(error: unknown) => void} failed
   */
  constructor(delay, task, failed) {
    this.delay = delay;
    this.task = task;
    this.failed = failed;
  }

  /** @param {number} [delay] */
  request(delay = this.delay) {
    this.cancel();
    this.#timer = setTimeout(() => void this.#run(), delay);
  }

  cancel() {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#running = undefined;
  }

  async #run() {
    const running = new AbortController();
    this.#running = running;
    try {
      const done = await this.task(running.signal);
      if (!running.signal.aborted) done?.();
    } catch (error) {
      if (!running.signal.aborted) this.failed(error);
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }
}
