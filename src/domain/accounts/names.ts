/** How long the name of a project, a key, an integration or a user may be: what a line of the page and of a message has space for. */
export const nameCharsMax = 100;
