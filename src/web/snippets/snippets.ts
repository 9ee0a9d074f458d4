/**
 * Snippets of how a job pings, by what runs it. Each has a start, an end with the exit status, and the output if that is easy.
 * Those of programming languages are in `snippets-code`, those in YAML in `snippets-yaml`. Pure.
 */
import { crontabLine, curl, jobPath, type Snippet } from './snippet.ts';
import { codeSnippets } from './snippets-code.ts';
import { yamlSnippets } from './snippets-yaml.ts';

const shell: readonly Snippet[] = [
  {
    name: 'crontab',
    textOf: (options) => {
      const { url } = options;
      return crontabLine(options, `${curl} ${url}/start; ${jobPath}; ${curl} ${url}/$?`);
    },
  },
  {
    name: 'bash',
    textOf: ({ url }) => `#!/bin/bash
url=${url}
${curl} "$url/start"
output=$(${jobPath} 2>&1)
status=$?
tail -c 100000 <<< "$output" | ${curl} --data-binary @- "$url/$status"
exit $status`,
  },
  {
    name: 'knell run',
    textOf: (options) => crontabLine(options, `KNELL_PING_URL=${options.url} knell run -- ${jobPath}`),
  },
  { name: 'curl', textOf: ({ url }) => `${curl} ${url}` },
  {
    name: 'systemd',
    textOf: ({ url }) =>
      // If a signal ended the job, EXIT_STATUS is the signal's name.
      `[Service]
Type=oneshot
ExecStartPre=-/usr/bin/${curl} ${url}/start
ExecStart=${jobPath}
ExecStopPost=/bin/sh -c 'case $EXIT_STATUS in [0-9]*) s=$EXIT_STATUS;; *) s=fail;; esac; ${curl} ${url}/$s'`,
  },
];

const others: readonly Snippet[] = [
  {
    name: 'runitor',
    textOf: ({ baseUrl, target }) => {
      const which =
        target.by === 'uuid' ? `-uuid ${target.uuid}` : `-ping-key ${target.pingKey} -slug ${target.slug}`;
      return `runitor -api-url ${baseUrl}/ping ${which} -- ${jobPath}`;
    },
  },
];

const mail: Snippet = { name: 'Email', textOf: ({ mail }) => mail };

export const snippets: readonly Snippet[] = [...shell, ...codeSnippets, ...yamlSnippets, ...others, mail];
