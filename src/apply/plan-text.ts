/** A plan as people read it before they agree. Invariant: no secret is in it. */
import { valueCharsShown } from './limits.ts';
import type { Change, PlannedStep, PlanSymbol } from './planned-step.ts';

const colourOf = { '+': '\x1b[32m', '~': '\x1b[33m', '-/+': '\x1b[33m', '-': '\x1b[31m' } as const;
const plainColour = '\x1b[0m';

/** Lines, by project in the order of the plan. */
export function planLines(steps: readonly PlannedStep[], { colour }: { readonly colour: boolean }): string[] {
  const projects = [...new Set(steps.map(({ project }) => project))];
  return projects.flatMap((project) => [
    project === null ? 'users' : `project ${shown(project)}`,
    ...steps.filter((step) => step.project === project).flatMap((step) => stepLines(step, colour)),
    '',
  ]);
}

function stepLines({ symbol, what, name, changes, file }: PlannedStep, colour: boolean): string[] {
  const how = symbol === '-/+' ? ' must be replaced' : '';
  const sign = colour ? `${colourOf[symbol]}${symbol}${plainColour}` : symbol;
  const lines = changes.map((change) => `      ${changeText(change)}`);
  const into = file === null ? [] : [`      written to ${shown(file)}`];
  return [`  ${sign} ${what} ${shown(name)}${how}`, ...lines, ...into];
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
  const cut = text.length > valueCharsShown ? `${text.slice(0, valueCharsShown)}…` : text;
  return cut.replace(
    /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const words = {
  planned: { '+': 'to create', '~': 'to change', '-/+': 'to replace', '-': 'to delete' },
  done: { '+': 'created', '~': 'changed', '-/+': 'replaced', '-': 'deleted' },
} as const;

/** `1 to create, 0 to change, 2 to delete`; what is replaced is counted where there is any. */
export function planSummary(steps: readonly PlannedStep[], state: keyof typeof words = 'planned'): string {
  const counted = (symbol: PlanSymbol): readonly string[] => {
    const count = steps.filter((step) => step.symbol === symbol).length;
    return symbol === '-/+' && count === 0 ? [] : [`${count} ${words[state][symbol]}`];
  };
  return [...counted('+'), ...counted('~'), ...counted('-/+'), ...counted('-')].join(', ');
}
