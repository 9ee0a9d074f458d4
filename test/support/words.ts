/** A UUID as words; throws for what is none. */
import { type UuidWords, uuidWordsOf } from '../../src/lib/uuid-words.ts';

export function words(uuid: string): UuidWords {
  const parsed = uuidWordsOf(uuid);
  if (!parsed) throw new Error(`not a UUID: ${uuid}`);
  return parsed;
}
