/** Finds the chat for a Telegram integration: shows what to send to the bot, and fills the form with where it was sent. */
import type { TelegramBot, TelegramChat } from '../../../domain/deliveries/telegram-chat.ts';
import { Copyable } from '../../ui/bits.tsx';
import { ChatFinder } from './chat-finder.tsx';

export function TelegramChatFinder({ project }: { readonly project: string }) {
  return (
    <ChatFinder<TelegramBot, TelegramChat>
      path={`/web/in/${project}/telegram`}
      noun="chat"
      waiting="Waiting for the message…"
      fieldsOf={({ id, topicId }) => ({ id: String(id), thread_id: topicId === null ? '' : String(topicId) })}
    >
      {({ bot, code }) => (
        <>
          <p>
            <a href={`https://t.me/${bot}?start=${code}`} target="_blank" rel="noreferrer">
              Open a chat with @{bot}
            </a>{' '}
            and press Start,{' '}
            <a href={`https://t.me/${bot}?startgroup=${code}`} target="_blank" rel="noreferrer">
              add it to a group
            </a>
            , or send this in a group, a topic or a channel that it is in:
          </p>
          <Copyable text={`/start@${bot} ${code}`} />
        </>
      )}
    </ChatFinder>
  );
}
