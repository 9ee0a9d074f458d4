/** A plan as people read it before they agree. Invariant: no secret is in it. */
import type { Change, PlannedStep } from './plan.ts';

const colourOf = { '+': '\x1b[32m', '~': '\x1b[33m', '-': '\x1b[31m' } as const;
const plainColour = '\x1b[0m';
const textCharsMax = 100;

/** Lines, by project in the order of the plan. */
export function planLines(steps: readonly PlannedStep[], { colour }: { readonly colour: boolean }): string[] {
  const projects = [...new Set(steps.map(({ project }) => project))];
  return projects.flatMap((project) => [
    `project ${shown(project)}`,
    ...steps.filter((step) => step.project === project).flatMap((step) => stepLines(step, colour)),
    '',
  ]);
}

function stepLines({ symbol, what, name, changes, file }: PlannedStep, colour: boolean): string[] {
  const sign = colour ? `${colourOf[symbol]}${symbol}${plainColour}` : symbol;
  const lines = changes.map((change) => `      ${changeText(change)}`);
  const into = file === null ? [] : [`      written to ${shown(file)}`];
  return [`  ${sign} ${what} ${shown(name)}`, ...lines, ...into];
}

function changeText({ field, before, after, secret }: Change): string {
  if (secret) return `${field}: (secret)`;
  if (before === undefined) return `${field}: ${shown(after)}`;
  return `${field}: ${shown(before)} → ${after === undefined ? '(default)' : shown(after)}`;
}

/** Names are foreign text: JSON escapes what would control the terminal, except what it leaves as it is. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  const text = JSON.stringify(value) ?? '';
  const cut = text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text;
  return cut.replace(
    /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const words = {
  planned: ['to create', 'to change', 'to delete'],
  done: ['created', 'changed', 'deleted'],
} as const;

/** `1 to create, 0 to change, 2 to delete`. */
export function planSummary(steps: readonly PlannedStep[], state: keyof typeof words = 'planned'): string {
  const [create, change, remove] = words[state];
  const count = (symbol: PlannedStep['symbol']): number =>
    steps.filter((step) => step.symbol === symbol).length;
  return `${count('+')} ${create}, ${count('~')} ${change}, ${count('-')} ${remove}`;
}
