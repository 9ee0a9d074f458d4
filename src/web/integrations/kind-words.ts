/** The order in which the gallery shows the kinds of integration. */
import { type ChannelKind, channelKinds, kinds } from '../../integrations/all.ts';

const last = Number.POSITIVE_INFINITY;

/** What most people look for, then the others by what people call them. */
export const kindsInOrder: readonly ChannelKind[] = [...channelKinds].sort((a, b) => {
  const [one, other] = [kinds[a], kinds[b]];
  if (one.popular !== other.popular) return (one.popular ?? last) - (other.popular ?? last);
  return one.form.title.localeCompare(other.form.title, 'en');
});
