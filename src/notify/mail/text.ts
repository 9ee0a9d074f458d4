/**
 * The plain text of an alert mail, in the order of its HTML.
 * Invariant: pure.
 */
import type { MailContent } from './content.ts';

export function textOf({
  title,
  headline,
  facts,
  output,
  button,
  more,
  others,
  footer,
}: MailContent): string {
  const blocks: readonly string[] = [
    title,
    headline,
    ...(output ? [linesOf([`${output.label}:`, output.note]), output.text] : []),
    linesOf([button, ...more].map(({ text, url }) => `${text}: ${url}`)),
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...(others ? [othersText(others)] : []),
    footerText(footer),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function footerText({ reason, links }: MailContent['footer']): string {
  const lines = linesOf([reason, ...links.map(({ text, url }) => `${text}: ${url}`)]);
  return lines === '' ? '' : `-- \n${lines}`;
}

function othersText({ label, checks, more, note }: NonNullable<MailContent['others']>): string {
  if (checks.length === 0) return note;
  return linesOf([
    `${label}:`,
    ...checks.map(({ link, detail }) => `- ${link.text}, ${detail}: ${link.url}`),
    more ? `${more.text}: ${more.url}` : '',
    note,
  ]);
}

function linesOf(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n');
}
