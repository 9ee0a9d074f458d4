/** Every limit of configuration files and plans, with its unit and its reason. What a field takes is in `format`. */

/** Parts of a document. Aliases of aliases grow without bound, and a file of a million parts is none that somebody wrote. */
export const yamlNodesMax = 1_000_000;
/** Levels of a document: far more than the format has. A reader that follows any number of them runs out of stack. */
export const yamlDepthMax = 32;
/** Characters of a value that a plan shows, so that a change is one line. */
export const valueCharsShown = 100;
