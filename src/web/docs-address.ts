/**
 * The address of the Knell whose manual one reads, in place of the one that the manual is written with. Pure.
 * What has no path behind it is said of where any Knell listens, and stays.
 */
const written = /(?:http:\/\/)?\blocalhost:8000(?=\/)|https:\/\/knell\.example\.org(?=\/ping\/)/g;
/** What a start prints, of a Knell that listens on its own machine. */
const listening = /(?<=\bhttp=http:\/\/127\.0\.0\.1:)8000\b/g;
const onOwnMachine = /^http:\/\/(?:localhost|127\.0\.0\.1):(\d+)/;

/** `base`: the address of Knell, without a slash at its end. */
export function withAddress(text: string, base: string): string {
  const [, port] = onOwnMachine.exec(base) ?? [];
  const said = text.replace(written, () => base);
  return port === undefined ? said : said.replace(listening, port);
}
