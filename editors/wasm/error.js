// DatachainError is a failed operation, with the code that the server would answer with.
export class DatachainError extends Error {
  constructor({code, message, fix_hint, path, severity, param, known}, options) {
    super(message, options);
    this.name = 'DatachainError';
    Object.assign(this, {code, fix_hint, path, severity, param, known});
  }
}

export const upstream = (message, cause) => new DatachainError(
  {code: 'upstream_error', message, fix_hint: 'try again in a moment', severity: 'error'}, {cause});

// fetched runs a function that reads something.
export async function fetched(get, what) {
  try {
    return await get();
  } catch (e) {
    throw e instanceof DatachainError ? e : upstream(`${what} could not be read: ${e.message}.`, e);
  }
}
