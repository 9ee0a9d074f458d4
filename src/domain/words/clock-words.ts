/** Words that compare another node's clock with one's own. Pure. */

/** Less than this makes no difference that anybody would look for: pings take as long on their way. */
const alikeMs = 1000;

/** `4.8 s ahead`, `5.0 s behind`; empty for clocks that are alike. */
export function clockWords(aheadMs: number): string {
  if (Math.abs(aheadMs) < alikeMs) return '';
  return `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`;
}
