/** Limits of a status page. Invariant: pure values, which the page's forms use as well. */

/**
 * Together they make one record, of 400 kB at the very most: a commit of that takes 2 ms, and a page is changed by hand.
 */
export const statusPageBounds = {
  /** Ten screens of a phone. More would be read by nobody. */
  servicesMax: 50,
  serviceNameCharsMax: 60,
  tagCharsMax: 100,
  /** Chosen by hand, of all services together. By tag there may be any number. */
  checksMax: 2000,
  noticesMax: 50,
  noticeTitleCharsMax: 100,
  updatesMax: 50,
  updateCharsMax: 2000,
  /** Characters of all notices together. */
  noticeCharsMax: 60_000,
} as const;
