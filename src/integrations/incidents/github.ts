/** The kind of integration for GitHub. */

import { line, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import { titles } from '../contract/titles.ts';
import { fields } from '../contract/values.ts';

export const github: Kind = {
  form: {
    title: titles.github,
    help: 'Opens an issue in a repository.',
    steps: [
      "Open the repository on github.com. The account of the server's token must be able to write issues there.",
      'Copy owner/name from its address.',
      'If issues are to have labels, create them there first.',
    ],
    keeps: 'json',
    fields: [
      line('repo', 'Repository', { ...plain, help: 'As owner/name.', part: 'repo' }),
      line('labels', 'Labels', { open: true, help: 'Comma-separated.' }),
    ],
  },
  category: 'Incidents',
  line: 'Opens an issue',
  icon: 'badge',
  audience: 'tickets',
  isPublic: true,
  needs: ['githubToken'],
  valueError: fields('repo'),
};
