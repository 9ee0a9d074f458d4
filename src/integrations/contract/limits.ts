/** Every limit that all kinds of integration share, with its reason. What a vendor takes of a text is in the file of its kind. */

/** Characters of an integration's value. The largest honest one, a webhook with two bodies and headers, has a few thousand. */
export const valueCharsMax = 10_000;

/** Types, checks or tags that an event subscription may name: as many as a listener to events may. */
export const feedWordsMax = 100;
