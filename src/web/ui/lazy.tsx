/**
 * A page that is loaded when somebody opens it. A file that cannot be loaded is tried again by itself.
 * Invariant: a page is shown with all of its files. A style sheet that failed once is not asked for again with its page, so after a failure
 * the document is loaded anew: by itself while nothing that somebody typed is on it, else when they say so.
 */
import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../core/calls.ts';
import { hasTyped, leaveUnasked } from '../core/typed.ts';
import { NotLoaded } from './bits.tsx';

interface LazyProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}

const retryMs = 2000;
/** A file of some page has failed since the document was loaded. */
let hasFailed = false;
/** What loads the pages that were shown before that: they have all of their files, and need no other document. */
const whole = new WeakSet<() => Promise<unknown>>();

export function Lazy<Props extends object>({ load, props }: LazyProps<Props>) {
  const [page, setPage] = useState<ComponentType<Props> | null>(null);
  const [error, setError] = useState('');
  const [isHeld, hold] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async (): Promise<void> => {
      try {
        const loaded = await load();
        if (!isCurrent) return;
        if (!hasFailed) whole.add(load);
        if (whole.has(load)) setPage(() => loaded);
        else if (hasTyped()) hold(true);
        else reload();
      } catch {
        hasFailed = true;
        const isNeeded = await needsReload();
        if (!isCurrent) return;
        if (isNeeded && !hasTyped()) return reload();
        if (isNeeded) return hold(true);
        setError(
          navigator.onLine
            ? "Can't load this page. Is Knell running? Trying again…"
            : 'This device is offline. Trying again…',
        );
        timer = setTimeout(attempt, retryMs);
      }
    };
    void attempt();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [load]);
  if (isHeld) return <ToReload />;
  return page ? h(page, props) : <NotLoaded text={error} />;
}

function ToReload() {
  return (
    <section class="banner stale" role="alert">
      <h2>Knell is back, and this page has to be loaded anew</h2>
      <p>That could not be done by itself: what you have typed here would be lost. Save or copy it first.</p>
      <button
        type="button"
        onClick={() => {
          leaveUnasked();
          reload();
        }}
      >
        Reload
      </button>
    </section>
  );
}

const reloaded = 'knell.reloaded';
const reloadEveryMs = 60_000;

/**
 * Whether the document has to be loaded again: when the server answers but the file is not there: after an update it has another name, and some
 * browsers remember a failure for as long as the document is there. Another document ends both. A minute passes between two
 * loads, in case the reason is a different one.
 */
async function needsReload(): Promise<boolean> {
  const answers = await ask('/web/state').then(
    () => true,
    () => false,
  );
  return answers && Date.now() - Number(sessionStorage.getItem(reloaded) ?? 0) >= reloadEveryMs;
}

function reload(): void {
  sessionStorage.setItem(reloaded, String(Date.now()));
  location.reload();
}
