/** The kind of integration for GitHub. */

import { line, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import { fields } from '../contract/values.ts';

export const github: Kind = {
  form: {
    title: 'GitHub',
    help: 'Opens an issue. Needs KNELL_GITHUB_TOKEN on the server: a token that can write issues there.',
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
