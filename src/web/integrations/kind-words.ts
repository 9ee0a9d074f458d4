/** The order in which the gallery shows the kinds of integration. */
import { type ChannelKind, channelKinds, kinds } from '../../integrations/all.ts';

const last = Number.POSITIVE_INFINITY;

/** The kinds that most people look for come first, then the others by the names that people have for them. */
export const kindsInOrder: readonly ChannelKind[] = [...channelKinds].sort((a, b) => {
  const [one, other] = [kinds[a], kinds[b]];
  if (one.popular !== other.popular) return (one.popular ?? last) - (other.popular ?? last);
  return one.form.title.localeCompare(other.form.title, 'en');
});
