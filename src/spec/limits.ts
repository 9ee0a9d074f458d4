/** The limits of what is not a field: those of fields are in `domain/limits`. Each has its unit and its reason. */

/** Width and height of a logo in pixels. A reader's browser takes 16 MB of memory for one of that size, however small its file. */
export const logoPixelsMax = 2048;
