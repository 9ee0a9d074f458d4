/** Longest name of a project, a key, an integration or a user: it fits into a line of the page and of a message. */
export const nameCharsMax = 100;
