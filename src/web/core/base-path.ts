/** The path under which a proxy serves Knell, which the server writes into the page: `/knell`, or empty. */
const basePath =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '');

/** A path of Knell as the browser asks for it. */
export function fromRoot(path: string): string {
  return basePath + path;
}

/** The other way round. */
export function fromBase(path: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}
