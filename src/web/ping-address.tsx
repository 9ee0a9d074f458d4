/** Where a check's pings go, and how to send them from where jobs run. */
import { useState } from 'preact/hooks';
import { Copyable } from './bits.tsx';

interface AddressProps {
  readonly url: string;
  /** Null where no mail is taken. */
  readonly mail: string | null;
}

/** Null for what does not work here. */
const snippets: readonly (readonly [name: string, text: (at: AddressProps) => string | null])[] = [
  ['curl', ({ url }) => `curl -fsS -m 10 --retry 5 -o /dev/null ${url}`],
  ['crontab', ({ url }) => `0 3 * * *  /usr/local/bin/job && curl -fsS -m 10 --retry 5 -o /dev/null ${url}`],
  [
    'systemd',
    ({ url }) =>
      // Where a signal ended the job, EXIT_STATUS is its name.
      `[Service]\nExecStart=/usr/local/bin/job\nExecStopPost=/bin/sh -c 'case $EXIT_STATUS in [0-9]*) s=$EXIT_STATUS;; *) s=fail;; esac; curl -fsS -m 10 --retry 5 -o /dev/null ${url}/$s'`,
  ],
  ['Python', ({ url }) => `import urllib.request\n\nurllib.request.urlopen("${url}", timeout=10)`],
  // Without retries: what comes with Windows does not know of them.
  ['PowerShell', ({ url }) => `Invoke-RestMethod -UseBasicParsing -Uri "${url}" -TimeoutSec 10`],
  ['Email', ({ mail }) => mail],
];

export function PingAddress(at: AddressProps) {
  const [chosen, setChosen] = useState('curl');
  const offered = snippets.flatMap(([name, textOf]) => {
    const text = textOf(at);
    return text === null ? [] : [{ name, text }];
  });
  const text = offered.find(({ name }) => name === chosen)?.text ?? at.url;
  return (
    <section>
      <h2>Ping URL</h2>
      <Copyable text={at.url} />
      <div class="actions">
        {offered.map(({ name }) => (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setChosen(name)}>
            {name}
          </button>
        ))}
      </div>
      <Copyable text={text} />
      <p class="faint">
        Append <code>/start</code>, <code>/fail</code>, <code>/log</code> or an exit code to the URL. POST
        bodies are stored.
      </p>
    </section>
  );
}
