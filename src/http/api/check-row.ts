/**
 * A check's row in a list, as bytes that are kept as long as the check stays as it is: a list of ten thousand is asked for again
 * and again, and most of its checks have not changed since.
 *
 * Bounded by the engine, which keeps some ten thousand checks as objects: with the object its bytes go, about 1 kB.
 * Invariant: what is kept depends on nothing but the check and the view that it is kept under.
 */
import type { Check } from '../../domain/check/check.ts';
import { type CheckView, checkRenderer } from './check-json.ts';

/** Of one version, for one kind of key. */
type Rows = WeakMap<Check, Uint8Array>;

/** One base URL, three versions, two kinds of key; a proxy may name a few base URLs. */
const viewsMax = 16;
const views = new Map<string, Rows>();

/** Gives a check's JSON with a comma before it. */
export function rowRenderer(view: CheckView): (check: Check) => Uint8Array {
  const render = checkRenderer(view);
  const fresh = (check: Check): Uint8Array => bytesOf(`,${render(check)}`);
  // Version 1 says whether a run has become too long by now.
  if (view.version === 1) return fresh;
  const rows = rowsOf(view);
  return (check) => {
    const known = rows.get(check);
    if (known) return known;
    const made = fresh(check);
    rows.set(check, made);
    return made;
  };
}

function rowsOf({ baseUrl, version, readOnly }: CheckView): Rows {
  const name = `${version} ${readOnly} ${baseUrl}`;
  const known = views.get(name);
  if (known) return known;
  if (views.size >= viewsMax) views.clear();
  const rows: Rows = new WeakMap();
  views.set(name, rows);
  return rows;
}

/** In memory of its own: a share of a larger buffer would keep all of that. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
