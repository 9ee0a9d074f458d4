/** Finds the chat for a Telegram integration: shows what to send to the bot, and fills the form with where it was sent. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TelegramBot, TelegramChat, TelegramChatSearch } from '../../domain/deliveries/telegram-chat.ts';
import { messageOf, send } from '../core/calls.ts';
import { Act, Copyable, Problem } from '../ui/bits.tsx';

const lookEveryMs = 2000;

export function TelegramChatFinder({ project }: { readonly project: string }) {
  const [bot, setBot] = useState<TelegramBot | null>(null);
  const [found, setFound] = useState<TelegramChat | null>(null);
  const [failed, setFailed] = useState('');
  const box = useRef<HTMLElement>(null);
  const path = `/web/in/${project}/telegram`;
  useEffect(() => {
    if (bot === null || found !== null) return;
    const timer = setInterval(() => {
      send<TelegramChatSearch>('POST', `${path}/${bot.code}`).then(
        (search) => {
          setFailed('');
          if (search.state === 'waiting') return;
          if (search.state === 'found') {
            fill(box.current, search.chat);
            setFound(search.chat);
            return;
          }
          setBot(null);
          setFailed(search.state === 'failed' ? `${search.error}.` : 'Nothing was sent in time. Try again.');
        },
        (reason: unknown) => setFailed(messageOf(reason)),
      );
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [bot, found]);
  const begin = async (): Promise<void> => {
    setFailed('');
    setFound(null);
    setBot(await send<TelegramBot>('POST', path));
  };
  return (
    <section class="chat-finder" aria-label="Find the chat" ref={box}>
      {bot === null ? (
        <Act run={begin} failed={setFailed}>
          Find the chat
        </Act>
      ) : (
        <>
          <p>
            <a href={`https://t.me/${bot.bot}?start=${bot.code}`} target="_blank" rel="noreferrer">
              Open a chat with @{bot.bot}
            </a>{' '}
            and press Start,{' '}
            <a href={`https://t.me/${bot.bot}?startgroup=${bot.code}`} target="_blank" rel="noreferrer">
              add it to a group
            </a>
            , or send this in a group, a topic or a channel that it is in:
          </p>
          <Copyable text={`/start@${bot.bot} ${bot.code}`} />
        </>
      )}
      <p role="status">
        {found !== null ? `Found: ${found.name || found.id}.` : bot !== null && 'Waiting for the message…'}
      </p>
      <Problem text={failed} />
    </section>
  );
}

/** The fields of the form around it. A name that somebody has typed stays. */
function fill(box: HTMLElement | null, { id, topicId, name }: TelegramChat): void {
  const form = box?.closest('form');
  const field = (wanted: string): HTMLInputElement | null => {
    const input = form?.elements.namedItem(wanted);
    return input instanceof HTMLInputElement ? input : null;
  };
  const [idField, topicField, nameField] = [field('id'), field('thread_id'), field('name')];
  if (idField) idField.value = String(id);
  if (topicField) topicField.value = topicId === null ? '' : String(topicId);
  if (nameField && nameField.value.trim() === '') nameField.value = name;
}
