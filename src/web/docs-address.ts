/**
 * The address of the Knell whose manual one reads, in place of the one that the manual is written with. Pure.
 * What has no path behind it is said of where any Knell listens, and stays.
 */
const written = /(?:http:\/\/)?\blocalhost:8000(?=\/)/g;

/** `base`: the address of Knell, without a slash at its end. */
export function withAddress(text: string, base: string): string {
  return text.replace(written, () => base);
}
