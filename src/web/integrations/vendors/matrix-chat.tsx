/** Finds the room for a Matrix integration: shows the bot to invite and a code, and fills the form with the room that the code came from. */
import type { MatrixBot, MatrixChat } from '../../../domain/deliveries/matrix-chat.ts';
import { Copyable } from '../../ui/bits.tsx';
import { ChatFinder } from './chat-finder.tsx';

export function MatrixChatFinder({ project }: { readonly project: string }) {
  return (
    <ChatFinder<MatrixBot, MatrixChat>
      path={`/web/in/${project}/matrix`}
      noun="room"
      waiting="Waiting for the invitation…"
      fieldsOf={({ id }) => ({ value: id })}
    >
      {({ bot, code }) => (
        <>
          <p>In the room, send this command of Element, which invites the bot with the code:</p>
          <Copyable text={`/invite ${bot} ${code}`} />
          <p>
            Or invite <strong>{bot}</strong> in any other way, and then send this in the room, also if the bot
            is in it already:
          </p>
          <Copyable text={code} />
          <p class="faint">
            The bot cannot read what is sent in an encrypted room: use the command there, or invite the bot
            and enter the room ID.
          </p>
        </>
      )}
    </ChatFinder>
  );
}
