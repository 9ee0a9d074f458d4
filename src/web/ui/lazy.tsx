/** A page whose script is loaded when it is first shown. */
import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from './bits.tsx';

interface LazyProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}

export function Lazy<Props extends object>({ load, props }: LazyProps<Props>) {
  const [page, setPage] = useState<ComponentType<Props> | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    load().then(
      (loaded) => setPage(() => loaded),
      () => setError("Can't load this page. Is Knell running? Reload to try again."),
    );
  }, [load]);
  return page ? h(page, props) : <Problem text={error} />;
}
