/**
 * A message as an Adaptive Card's elements, for Microsoft Teams. Text runs are no Markdown
 * (https://learn.microsoft.com/adaptive-cards/schema-explorer/text-run); text blocks are, and some clients show its backslashes.
 * Invariant: pure; a card is at most as large as its limit.
 */

import type { NotificationKind } from '../../domain/deliveries/delivery.ts';
import type { TextLimit } from '../../integrations/contract/request.ts';
import { textParts } from './escape.ts';
import { bodyLabel, fitted } from './formats.ts';
import { type Fact, type Message, oneLine } from './render.ts';
import type { Filled } from './template.ts';

const colours: Readonly<Record<NotificationKind, string>> = {
  down: 'attention',
  up: 'good',
  late: 'warning',
  warning: 'warning',
};

type Look = Readonly<Record<string, string | boolean>>;

export function cardElements(message: Message, kind: NotificationKind, limit: TextLimit): Filled {
  const write = (shorter: Message): string => JSON.stringify(elements(shorter, colours[kind]));
  return JSON.parse(fitted(message, limit, write)) as Filled;
}

function elements(message: Message, color: string): readonly Filled[] {
  const { title, headline, facts, othersDown, body, context } = message;
  const bodyLines = body.text === '' ? [] : body.text.split('\n');
  return [
    block([run(title, { weight: 'bolder', size: 'medium', color })]),
    ...blocks(headline),
    ...facts.flatMap(([label, value]) => blocks(value, label)),
    ...(othersDown === '' ? [] : blocks(othersDown)),
    ...(bodyLines.length === 0 ? [] : [block([run(`${bodyLabel(message)}:`, { weight: 'bolder' })])]),
    ...bodyLines.map((line) => block([run(line, { fontType: 'monospace' })], 'none')),
    ...(context.length === 0 ? [] : [block(context.flatMap(contextRuns))]),
  ];
}

function contextRuns([label, value]: Fact, index: number): readonly Filled[] {
  return [run(`${index === 0 ? '' : ' · '}${label}: `, { weight: 'bolder' }), run(oneLine(value))];
}

/** One for each line: runs have no line breaks. */
function blocks(text: string, label = ''): readonly Filled[] {
  return text.split('\n').map((line, index) => {
    const runs = textParts(line).map(({ text: part, isUrl }) =>
      isUrl ? { ...run(part), selectAction: { type: 'Action.OpenUrl', url: part } } : run(part),
    );
    const named = index === 0 && label !== '' ? [run(`${label}: `, { weight: 'bolder' }), ...runs] : runs;
    return block(named, label === '' && index === 0 ? 'default' : 'none');
  });
}

function block(inlines: readonly Filled[], spacing = 'default'): Filled {
  return { type: 'RichTextBlock', spacing, inlines };
}

/** A run must not be empty. */
function run(text: string, look: Look = {}): { readonly [key: string]: Filled } {
  return { type: 'TextRun', text: text === '' ? '\u00a0' : text, ...look };
}
