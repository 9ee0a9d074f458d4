/** Where a check's pings go, and how to send them from where jobs run. */
import { useState } from 'preact/hooks';
import { Copyable } from './bits.tsx';

interface AddressProps {
  readonly url: string;
  readonly mail: string;
}

const snippets: readonly (readonly [name: string, text: (at: AddressProps) => string])[] = [
  ['curl', ({ url }) => `curl -fsS -m 10 --retry 5 -o /dev/null ${url}`],
  ['crontab', ({ url }) => `0 3 * * *  /usr/local/bin/job && curl -fsS -m 10 --retry 5 -o /dev/null ${url}`],
  [
    'systemd',
    ({ url }) =>
      `[Service]\nExecStart=/usr/local/bin/job\nExecStopPost=/bin/sh -c 'curl -fsS -m 10 --retry 5 -o /dev/null ${url}/$EXIT_STATUS'`,
  ],
  ['Python', ({ url }) => `import urllib.request\n\nurllib.request.urlopen("${url}", timeout=10)`],
  ['PowerShell', ({ url }) => `Invoke-RestMethod -Uri "${url}" -TimeoutSec 10 -MaximumRetryCount 5`],
  ['Email', ({ mail }) => mail],
];

export function PingAddress(at: AddressProps) {
  const [chosen, setChosen] = useState('curl');
  const text = snippets.find(([name]) => name === chosen)?.[1](at) ?? at.url;
  return (
    <section>
      <h2>Ping address</h2>
      <Copyable text={at.url} />
      <div class="actions">
        {snippets.map(([name]) => (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setChosen(name)}>
            {name}
          </button>
        ))}
      </div>
      <Copyable text={text} />
      <p class="faint">
        Add <code>/start</code>, <code>/fail</code>, <code>/log</code> or an exit status to say more; what a
        POST sends is kept.
      </p>
    </section>
  );
}
