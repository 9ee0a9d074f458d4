/**
 * A page that is loaded when somebody opens it. A file that cannot be loaded is tried again by itself.
 * Invariant: a page is shown with all of its files. A style sheet that failed once is not asked for again with its page, so after a failure
 * the document is loaded anew.
 */
import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../core/calls.ts';
import { NotLoaded } from './bits.tsx';

interface LazyProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}

const retryMs = 2000;
/** A file of some page has failed since the document was loaded. */
let hasFailed = false;

export function Lazy<Props extends object>({ load, props }: LazyProps<Props>) {
  const [page, setPage] = useState<ComponentType<Props> | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async (): Promise<void> => {
      try {
        const loaded = await load();
        if (!isCurrent) return;
        if (hasFailed) reload();
        else setPage(() => loaded);
      } catch {
        hasFailed = true;
        const isReloading = await reloadedForIt();
        if (!isCurrent || isReloading) return;
        setError("Can't load this page. Is Knell running? Trying again…");
        timer = setTimeout(attempt, retryMs);
      }
    };
    void attempt();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [load]);
  return page ? h(page, props) : <NotLoaded text={error} />;
}

const reloaded = 'knell.reloaded';
const reloadEveryMs = 60_000;

/**
 * Loads the document again when the server answers but the file is not there: after an update it has another name, and some
 * browsers remember a failure for as long as the document is there. Another document ends both. A minute passes between two
 * loads, in case the reason is a different one.
 */
async function reloadedForIt(): Promise<boolean> {
  const answers = await ask('/web/state').then(
    () => true,
    () => false,
  );
  if (!answers || Date.now() - Number(sessionStorage.getItem(reloaded) ?? 0) < reloadEveryMs) return false;
  reload();
  return true;
}

function reload(): void {
  sessionStorage.setItem(reloaded, String(Date.now()));
  location.reload();
}
