/**
 * Changes in the audit log that are said in words of their own: of one kind of schedule to another, and of what is turned off.
 * Invariant: pure. Of a kind of schedule nothing is said but what it uses: the interval of a cron check was never shown.
 */
import type { AuditChange, AuditSubject } from '../../domain/accounts/audit.ts';
import { valueWords } from '../../domain/words/value-words.ts';

/** Without a label; `before` is empty where there is only one word to say. */
export interface Sentence {
  readonly before: string;
  readonly after: string;
}

interface Said {
  readonly sentences: readonly Sentence[];
  /** Those that are said by their fields. */
  readonly others: readonly AuditChange[];
}

export function sentencesIn(subject: AuditSubject, changes: readonly AuditChange[]): Said {
  const own = ownOf[subject]?.(changes) ?? null;
  if (own === null) return { sentences: [], others: changes };
  const { fields, ...sentence } = own;
  return { sentences: [sentence], others: changes.filter(({ field }) => !fields.includes(field)) };
}

type Own = Sentence & { readonly fields: readonly string[] };

const ownOf: Readonly<Partial<Record<AuditSubject, (changes: readonly AuditChange[]) => Own | null>>> = {
  check: scheduleIn,
  integration: switchIn,
  'status-page': noticesIn,
};

/** The log has the title and the stage of each notice that is another now. */
function noticesIn(changes: readonly AuditChange[]): Own | null {
  const notices = changes.find(({ field }) => field === 'notices');
  if (!notices) return null;
  const { before, after } = notices;
  const fields = ['notices'];
  if (before === '') return { before: '', after: `Posted a notice: ${after}`, fields };
  if (after === '') return { before: '', after: `Deleted a notice: ${before}`, fields };
  return { before: `Notice: ${before}`, after, fields };
}

function switchIn(changes: readonly AuditChange[]): Own | null {
  const disabled = changes.find(({ field }) => field === 'disabled');
  if (!disabled) return null;
  return { before: '', after: disabled.after === 'true' ? 'Turned off' : 'Turned on', fields: ['disabled'] };
}

const kinds: Readonly<Record<string, string | undefined>> = {
  simple: 'Interval',
  cron: 'Cron',
  oncalendar: 'OnCalendar',
};

function scheduleIn(changes: readonly AuditChange[]): Own | null {
  const kind = changes.find(({ field }) => field === 'kind');
  if (!kind) return null;
  const hasInterval = kind.before === 'simple' || kind.after === 'simple';
  const said = (side: 'before' | 'after'): string => {
    const textOf = (name: string): string => changes.find(({ field }) => field === name)?.[side] ?? '';
    const isSimple = kind[side] === 'simple';
    const value = isSimple ? valueWords('timeout', textOf('timeout')) : textOf('schedule');
    const zone = isSimple || !hasInterval || textOf('tz') === '' ? '' : `(${textOf('tz')})`;
    // What stayed as it is in the record is not in the entry.
    const isKnown = textOf(isSimple ? 'timeout' : 'schedule') !== '';
    return [kinds[kind[side]] ?? kind[side], isKnown ? value : '', zone]
      .filter((part) => part !== '')
      .join(' ');
  };
  return {
    before: said('before'),
    after: said('after'),
    fields: ['kind', 'timeout', 'schedule', ...(hasInterval ? ['tz'] : [])],
  };
}
