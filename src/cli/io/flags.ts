/** The options of a command, by their names, as commander gives them. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;
