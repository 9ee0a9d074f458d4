/** The alerts that would have come with what the form says, beside those with the settings as they are. It saves nothing. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AlertAnswer, SchedulePreviewAnswer, WhatIfAnswer } from '../../domain/views/api-answers.ts';
import { counted } from '../../domain/words/counted.ts';
import { messageOf, send } from '../core/calls.ts';
import { exactTime } from '../core/words.ts';
import { apiPath } from '../rows/api-check.ts';
import { Act, Problem } from '../ui/bits.tsx';

interface WhatIfProps {
  readonly project: string;
  readonly id: string;
  /** What the form would send now. Throws where it would not. */
  readonly fields: () => Readonly<Record<string, unknown>>;
}

const formEvents = ['input', 'change', 'click'] as const;

export function WhatIf({ project, id, fields }: WhatIfProps) {
  const box = useRef<HTMLElement>(null);
  const [answer, setAnswer] = useState<WhatIfAnswer | null>(null);
  const [failed, setFailed] = useState('');
  const asked = useRef('');
  const isChanged = (): boolean => {
    try {
      return JSON.stringify(fields()) !== asked.current;
    } catch {
      return true;
    }
  };
  // What was answered is untrue of a form that says something else by now, from the moment in which it is shown.
  useLayoutEffect(() => {
    const form = box.current?.closest('form');
    if (answer === null || !form) return;
    const changed = (): void => {
      // A preset fills the form in after the click.
      requestAnimationFrame(() => isChanged() && setAnswer(null));
    };
    for (const type of formEvents) form.addEventListener(type, changed);
    return () => {
      for (const type of formEvents) form.removeEventListener(type, changed);
    };
  }, [answer]);
  const run = async (): Promise<void> => {
    const body = { ...fields(), check: id, count: 1 };
    asked.current = JSON.stringify(fields());
    const { what_if } = await send<SchedulePreviewAnswer>(
      'POST',
      apiPath(project, 'schedules/preview'),
      body,
    ).catch((reason: unknown) => {
      setAnswer(null);
      throw new Error(messageOf(reason));
    });
    setAnswer(what_if);
  };
  return (
    <section class="what-if" ref={box}>
      <Act class="quiet" run={run} failed={setFailed}>
        What would have happened?
      </Act>
      <Problem text={failed} />
      <div aria-live="polite">{answer && <Comparison answer={answer} />}</div>
    </section>
  );
}

/** Alerts that are listed, the newest; the others are counted. */
const shownMax = 50;

function Comparison({ answer }: { readonly answer: WhatIfAnswer }) {
  const { as_is, as_asked, from, pings, notes } = answer;
  const rows = rowsOf(as_is, as_asked);
  const since = exactTime(Date.parse(from));
  return (
    <>
      <p>
        Since {since}, {counted(pings, 'ping')}: {counted(as_asked.length, 'alert')} with what this form says,{' '}
        {as_is.length} with the settings as they are.
      </p>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Alert</th>
              <th scope="col">With</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownMax).map(({ at, kind, why, ways }) => (
              <tr key={`${at} ${kind} ${ways}`}>
                <td>{exactTime(Date.parse(at))}</td>
                <td>
                  {kind === 'down' ? 'Down' : 'Up'} <span class="faint">{why}</span>
                </td>
                <td>{ways}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > shownMax && <p>And {rows.length - shownMax} earlier ones.</p>}
      {notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </>
  );
}

interface Row extends AlertAnswer {
  readonly ways: 'both' | 'these only' | 'present ones only';
}

/** The alerts of both ways, the newest first, each instant once. */
function rowsOf(asIs: readonly AlertAnswer[], asAsked: readonly AlertAnswer[]): readonly Row[] {
  const key = ({ at, kind }: AlertAnswer): string => `${at} ${kind}`;
  const present = new Set(asIs.map(key));
  const asked = new Set(asAsked.map(key));
  const rows = [
    ...asAsked.map((alert): Row => ({ ...alert, ways: present.has(key(alert)) ? 'both' : 'these only' })),
    ...asIs.flatMap((alert): readonly Row[] =>
      asked.has(key(alert)) ? [] : [{ ...alert, ways: 'present ones only' }],
    ),
  ];
  return rows.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
