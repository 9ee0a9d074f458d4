/**
 * Finds the chat for an integration by a code: shows what to do with the code, and asks until the chat is found that it was sent in.
 * The kinds' own finders say what to do, and fill in the form.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf, send } from '../../core/calls.ts';
import { Act, Problem } from '../../ui/bits.tsx';

const lookEveryMs = 2000;

type Search<Chat> =
  | { readonly state: 'waiting' | 'expired' }
  | { readonly state: 'found'; readonly chat: Chat }
  | { readonly state: 'failed'; readonly error: string };

interface Named {
  readonly id: number | string;
  readonly name: string;
}

interface FinderProps<Begun, Chat> {
  /** Path of the calls: `POST` begins, and `POST` with the code behind it looks. */
  readonly path: string;
  /** What is looked for, such as `chat`. */
  readonly noun: string;
  /** Shown while nothing was sent. */
  readonly waiting: string;
  readonly children: (begun: Begun) => ComponentChildren;
  /** Contents of the fields of the form, by their names. */
  readonly fieldsOf: (chat: Chat) => Readonly<Record<string, string>>;
}

export function ChatFinder<Begun extends { readonly code: string }, Chat extends Named>({
  path,
  noun,
  waiting,
  children,
  fieldsOf,
}: FinderProps<Begun, Chat>) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [found, setFound] = useState<Chat | null>(null);
  const [failed, setFailed] = useState('');
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (begun === null || found !== null) return;
    const timer = setInterval(() => {
      send<Search<Chat>>('POST', `${path}/${begun.code}`).then(
        (search) => {
          setFailed('');
          if (search.state === 'waiting') return;
          if (search.state === 'found') {
            fill(box, fieldsOf(search.chat), search.chat.name);
            setFound(search.chat);
            return;
          }
          setBegun(null);
          setFailed(
            search.state === 'failed'
              ? messageOf(`${search.error}.`)
              : 'Nothing was sent in time. Try again.',
          );
        },
        (reason: unknown) => setFailed(messageOf(reason)),
      );
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [begun, found]);
  useEffect(() => {
    // The button that had the focus is gone.
    if (begun) box.current?.focus();
  }, [begun]);
  const begin = async (): Promise<void> => {
    setFailed('');
    setFound(null);
    setBegun(await send<Begun>('POST', path));
  };
  return (
    <section class="chat-finder" aria-label={`Find the ${noun}`} ref={box} tabIndex={-1}>
      {begun === null ? (
        <Act run={begin} failed={setFailed}>
          Find the {noun}
        </Act>
      ) : (
        children(begun)
      )}
      <p role="status">{found !== null ? `Found: ${found.name || found.id}.` : begun !== null && waiting}</p>
      <Problem text={failed} />
    </section>
  );
}

/** The fields of the form around it. A name that somebody has typed stays. */
function fill(
  box: RefObject<HTMLElement | null>,
  fields: Readonly<Record<string, string>>,
  name: string,
): void {
  const form = box.current?.closest('form');
  const field = (wanted: string): HTMLInputElement | null => {
    const input = form?.elements.namedItem(wanted);
    return input instanceof HTMLInputElement ? input : null;
  };
  for (const [wanted, text] of Object.entries(fields)) {
    const input = field(wanted);
    if (input) input.value = text;
  }
  const nameField = field('name');
  if (nameField && nameField.value.trim() === '') nameField.value = name;
}
