/** The endpoint that Knell was given last: what this browser keeps of its subscription. */

const key = 'knell.push';

/** Null if this browser is no integration. */
export function rememberedEndpoint(): string | null {
  return localStorage.getItem(key);
}

export function rememberEndpoint(endpoint: string): void {
  localStorage.setItem(key, endpoint);
}
