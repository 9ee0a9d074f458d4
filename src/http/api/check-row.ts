/**
 * The row of a check in a list, as bytes that are kept as long as the check does not change: a list of ten thousand is
 * requested again and again, and most of its checks have not changed since.
 *
 * The engine bounds the memory: it keeps some ten thousand checks as objects, and the bytes, about 1 kB, go with the object.
 * Invariant: the kept bytes depend only on the check and on the view that they are kept under.
 */
import type { Check } from '../../domain/check/check.ts';
import { rowViewsMax } from '../limits.ts';
import { type CheckView, checkRenderer } from './check-json.ts';

/** Rows of one version, for one kind of key. */
type Rows = WeakMap<Check, Uint8Array>;

const views = new Map<string, Rows>();

/** Returns a renderer for a check's JSON with a comma before it. */
export function rowRenderer(view: CheckView): (check: Check) => Uint8Array {
  const render = checkRenderer(view);
  const fresh = (check: Check): Uint8Array => bytesOf(`,${render(check)}`);
  // Version 1 shows whether a run has become too long by now, so its rows cannot be kept.
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
  if (views.size >= rowViewsMax) views.clear();
  const rows: Rows = new WeakMap();
  views.set(name, rows);
  return rows;
}

/** Encodes into memory of its own: a slice of a larger buffer would keep all of that buffer. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
