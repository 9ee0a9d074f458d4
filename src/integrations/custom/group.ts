/** The kind of integration that is a group of others. */
import type { Kind } from '../contract/kind.ts';
import { titles } from '../contract/titles.ts';

export const group: Kind = {
  form: {
    title: titles.group,
    help: 'Notifies several integrations of this project.',
    steps: [
      'Add the integrations that belong together first, each by itself.',
      'Tick them here, and save.',
      'Assign the group to checks in their place: what is ticked later counts for all of these checks.',
    ],
    keeps: 'text',
    fields: [{ name: 'value', label: 'Integrations', input: 'integrations', required: true, open: true }],
  },
  category: 'Custom',
  line: 'Several integrations as one',
  icon: 'fork',
  valueError: (value) =>
    value.split(',').every((id) => /^[0-9a-f-]{36}$/.test(id)) ? null : 'integration ids, comma-separated',
};
