/** The path under which a proxy serves Knell, `/knell` or empty. The server writes it into the page. */
const basePath =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '');

/** Returns a path of Knell as the browser asks for it. */
export function fromRoot(path: string): string {
  return basePath + path;
}

/** Returns the path of Knell for one of the browser. */
export function fromBase(path: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}
