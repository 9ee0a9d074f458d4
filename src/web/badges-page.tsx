/** Badges: what they look like now, and how to put them elsewhere. */
import { useState } from 'preact/hooks';
import { apiPath } from './api-check.ts';
import { Copyable, Problem } from './bits.tsx';
import { useAsk } from './door.ts';
import type { PageProps } from './page-props.ts';
import { useTab } from './tab.ts';

interface BadgeUrls {
  readonly svg: string;
  readonly svg3: string;
  readonly json: string;
  readonly json3: string;
  readonly shields: string;
  readonly shields3: string;
}

type As = 'markdown' | 'html' | 'url';

export function Badges({ project, live }: PageProps) {
  const { data, error } = useAsk<{ badges: Record<string, BadgeUrls> }>(apiPath(project, 'badges/'));
  const [as, setAs] = useState<As>('markdown');
  const [three, setThree] = useState(false);
  useTab(live.rows, 'Badges');
  const choice = (value: As, text: string) => (
    <button type="button" aria-pressed={as === value} onClick={() => setAs(value)}>
      {text}
    </button>
  );
  return (
    <>
      <h1>Badges</h1>
      <p>
        Whoever has a badge's address sees the status of the checks with its tag, and nothing else of them.
      </p>
      <Problem text={error} />
      <div class="actions">
        {choice('markdown', 'Markdown')}
        {choice('html', 'HTML')}
        {choice('url', 'URL')}
        <label class="tick">
          <input type="checkbox" checked={three} onChange={() => setThree(!three)} />
          Show late as a state of its own
        </label>
      </div>
      {Object.entries(data?.badges ?? {}).map(([tag, urls]) => (
        <section key={tag}>
          <h2>{tag === '*' ? 'All checks' : tag}</h2>
          <img
            src={here(three ? urls.svg3 : urls.svg)}
            alt={`Status badge of ${tag === '*' ? 'all checks' : tag}`}
            height="20"
          />
          <Copyable text={written(as, tag === '*' ? 'status' : tag, three ? urls.svg3 : urls.svg)} />
        </section>
      ))}
    </>
  );
}

/** The preview comes from wherever this page came from. */
function here(url: string): string {
  const { pathname } = new URL(url);
  return pathname;
}

function written(as: As, label: string, url: string): string {
  if (as === 'url') return url;
  const escaped = label.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return as === 'html'
    ? `<img src="${url}" alt="${escaped}">`
    : `![${label.replace(/[[\]\\]/g, '\\$&')}](${url})`;
}
