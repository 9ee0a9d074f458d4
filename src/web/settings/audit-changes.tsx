/** From what to what the values of an entry of the audit log were changed. UUIDs are shown as the names of what they are. */

import type { AuditChange, AuditSubject } from '../../domain/accounts/audit.ts';
import type { AuditView, NamedIdView } from '../../domain/views/account-view.ts';
import { shownName } from '../../domain/words/check-name.ts';
import { type ListDifference, listChange, listSeparator } from '../../domain/words/list-change.ts';
import { idParts } from '../../domain/words/named-ids.ts';
import { valueWords } from '../../domain/words/value-words.ts';
import { addressOf } from '../core/route.ts';
import { fieldWords } from './audit-fields.ts';
import { sentencesIn } from './audit-sentences.ts';
import { calendarOnPage } from './audit-words.ts';

interface ChangesProps extends Pick<AuditView, 'named'> {
  readonly subject: AuditSubject;
  readonly changes: readonly AuditChange[];
  /** Whether it was created by that: then there was nothing before. */
  readonly isNew: boolean;
}

export function Changes({ subject, changes, named, isNew }: ChangesProps) {
  const { sentences, others } = isNew ? { sentences: [], others: changes } : sentencesIn(subject, changes);
  return (
    <ul class="changes">
      {sentences.map(({ before, after }) => (
        <li key={after}>
          {before !== '' && (
            <>
              <del class={linesClass(before)}>{before}</del>
              <To {...{ before, after }} />
            </>
          )}
          <ins class={linesClass(after)}>{after}</ins>
        </li>
      ))}
      {others.map(({ field, before, after }) => {
        const differs = isNew ? null : listChange(field, before, after);
        return differs ? (
          <ListChange key={field} {...{ subject, field, named }} {...differs} />
        ) : (
          <li key={field}>
            <span class="faint">{fieldWords(subject, field)}:</span>{' '}
            {!isNew && (
              <>
                {before === '' ? (
                  <span class="faint">was empty</span>
                ) : (
                  <del class={linesClass(before)}>
                    <Value {...{ subject, field, named }} value={before} />
                  </del>
                )}
                <To {...{ before, after }} />
              </>
            )}
            <ins class={linesClass(after)}>
              <Value {...{ subject, field, named }} value={after} />
            </ins>
          </li>
        );
      })}
    </ul>
  );
}

interface ListChangeProps extends Omit<ValueProps, 'value'>, ListDifference {}

function ListChange({ removed, added, ...props }: ListChangeProps) {
  const { subject, field } = props;
  return (
    <li>
      <span class="faint">{fieldWords(subject, field)}:</span>{' '}
      {removed.length > 0 && (
        <>
          <span class="faint">removed</span>{' '}
          <del>
            <Value {...props} value={removed.join(listSeparator)} />
          </del>
        </>
      )}
      {removed.length > 0 && added.length > 0 && ', '}
      {added.length > 0 && (
        <>
          <span class="faint">added</span>{' '}
          <ins>
            <Value {...props} value={added.join(listSeparator)} />
          </ins>
        </>
      )}
    </li>
  );
}

/** The arrow begins the line of what it points at. Before a block there would be nothing behind it. */
function To({ before, after }: Pick<AuditChange, 'before' | 'after'>) {
  if (isLong(after)) return <span class="faint">{isLong(before) ? 'Now:' : ', now:'}</span>;
  return (
    <>
      <span aria-hidden="true"> →&nbsp;</span>
      <span class="hidden"> to </span>
    </>
  );
}

function isLong(value: string): boolean {
  return value.includes('\n');
}

/** A value of several lines is a block of its own: all of it looks like one, and none of it like another field. */
function linesClass(value: string): string | undefined {
  return isLong(value) ? 'lines' : undefined;
}

interface ValueProps extends Pick<AuditView, 'named'> {
  readonly subject: AuditSubject;
  readonly field: string;
  readonly value: string;
}

function Value({ subject, field, value, named }: ValueProps) {
  if (subject === 'maintenance' && field === 'times') return <>{calendarOnPage(value)}</>;
  const parts = idParts(field, value);
  if (parts === null) return <>{valueWords(field, value)}</>;
  return (
    <>
      {parts.map(({ text }, at) => (
        <span key={text}>
          {at > 0 && ', '}
          <Named id={text} view={named[text]} />
        </span>
      ))}
    </>
  );
}

function Named({ id, view }: { readonly id: string; readonly view: NamedIdView | undefined }) {
  if (!view) return <>{id}</>;
  const { name, what, project } = view;
  if (what === 'deleted-check') return <span title={id}>{name || id} (deleted)</span>;
  const words = shownName({ name });
  if (what === 'member') return <span title={id}>{words}</span>;
  const href =
    what === 'project'
      ? addressOf(project, 'checks')
      : addressOf(project, what === 'check' ? 'checks' : 'integrations', id);
  return (
    <a href={href} title={id}>
      {words}
    </a>
  );
}
