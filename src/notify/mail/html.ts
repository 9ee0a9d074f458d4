/**
 * The HTML of an alert mail: tables and inline styles, since Outlook knows little else; 600 pixels wide, narrower on a phone;
 * dark where the reader's mail program is. Nothing is loaded from anywhere.
 * Invariant: pure; every text of others is escaped, and no word, however long, is wider than its cell.
 */
import { markedLines } from '../../domain/words/output-lines.ts';
import { webAddress } from '../../domain/words/web-address.ts';
import { escapes } from '../words/escape.ts';
import { darkStyle, light, tones } from './colours.ts';
import type { Link, MailContent } from './content.ts';
import type { Fact } from './facts.ts';

const { html } = escapes;

const sans =
  "font-family:-apple-system,'Segoe UI',Inter,Roboto,'Helvetica Neue','Liberation Sans',Arial,sans-serif";
const mono = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace";
const wrapping = 'overflow-wrap:anywhere;word-break:break-word';
const base = `${sans};font-size:14px;line-height:20px;color:${light.text};${wrapping}`;
const faint = `${sans};font-size:13px;line-height:20px;color:${light.text3};${wrapping}`;

export function htmlOf(content: MailContent): string {
  const { title, headline } = content;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    `<title>${html(title)}</title><style>${darkStyle}${narrowStyle}</style></head>`,
    `<body class="canvas" style="margin:0;padding:0;background:${light.canvas};-webkit-text-size-adjust:100%">`,
    `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${html(headline)}</div>`,
    `<table ${layout} class="canvas" style="background:${light.canvas}"><tr><td align="center" class="outer" style="padding:24px 8px">`,
    '<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->',
    `<table ${layout} class="card" style="max-width:600px;background:${light.surface};border:1px solid ${light.line};border-radius:10px;border-collapse:separate;table-layout:fixed">`,
    headRow(content),
    statusRow(content),
    cell(
      `${outputBlock(content)}${buttonTable(content)}${factsTable(content.facts)}`,
      'padding:20px 24px 24px',
    ),
    othersRow(content),
    footerRow(content),
    '</table>',
    '<!--[if mso]></td></tr></table><![endif]-->',
    '</td></tr></table></body></html>',
  ].join('\n');
}

const layout = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

/** Below these the buttons are one under the other, and the labels above their values. */
const narrowStyle = [
  '@media (max-width:560px){.acts{width:100%!important}.act,.tap{display:block!important}.gap{display:block!important;height:10px!important}}',
  '@media (max-width:480px){',
  '.outer{padding:0!important}.card{border-radius:0!important;border-width:0!important}',
  '.pad{padding-left:16px!important;padding-right:16px!important}',
  '.label,.value,.detail{display:block!important;width:auto!important;text-align:left!important}',
  '.label{padding:8px 0 0!important}.value,.mark{padding:0!important}.foot{border-radius:0!important}',
  '}',
].join('');

/** A row of the card, over its whole width. */
function cell(inner: string, style: string, className = ''): string {
  return `<tr><td class="pad ${className}" style="${base};${style}">${inner}</td></tr>`;
}

function headRow({ project }: MailContent): string {
  const mark = `<td width="20" height="20" align="center" class="accent" style="${sans};background:${light.accent};border-radius:5px;font-size:12px;line-height:20px;font-weight:600;color:${light.onAccent}">K</td>`;
  return cell(
    `<table ${layout}><tr>${mark}<td style="${base};padding-left:8px;font-size:13px;font-weight:600" class="text">Knell</td>` +
      `<td align="right" class="faint" style="${faint}">${html(project)}</td></tr></table>`,
    `padding:14px 24px;border-bottom:1px solid ${light.line}`,
    'line',
  );
}

function statusRow({ tone, title, headline, button }: MailContent): string {
  const { ink, soft, bar, mark } = tones[tone];
  const icon = `<td width="28" valign="top" style="padding:0 12px 0 0"><table role="presentation" cellpadding="0" cellspacing="0"><tr><td width="28" height="28" align="center" class="bar-${tone}" style="${sans};background:${bar};border-radius:14px;font-size:17px;line-height:28px;font-weight:700;color:#ffffff">${mark}</td></tr></table></td>`;
  const heading = `<h1 style="margin:0;${sans};font-size:20px;line-height:28px;font-weight:600;${wrapping}"><a href="${html(button.url)}" class="ink-${tone}" style="color:${ink};text-decoration:none">${html(title)}</a></h1>`;
  return cell(
    `<table ${layout} style="table-layout:fixed"><tr>${icon}<td class="text" style="${base}">${heading}${html(headline)}</td></tr></table>`,
    `padding:20px 24px 20px 20px;background:${soft};border-left:4px solid ${bar}`,
    `soft-${tone}`,
  );
}

function factsTable(facts: readonly Fact[]): string {
  const rows = facts.map(
    ({ label, value, strong }) =>
      `<tr><td class="label faint" width="112" valign="top" style="${faint};padding:5px 0">${html(label)}</td>` +
      `<td class="value text" valign="top" style="${base};padding:5px 0">${strong === '' ? '' : `<strong>${html(strong)}</strong>`}${withLinks(value.slice(strong.length))}</td></tr>`,
  );
  return `<table ${layout} style="table-layout:fixed;margin-top:20px">${rows.join('')}</table>`;
}

/** A link in a description works: that is what it is for. */
function withLinks(text: string): string {
  return text
    .split(webAddress)
    .map((part, index) =>
      index % 2 === 1 ? anchor({ text: part, url: part }) : html(part).replaceAll('\n', '<br>'),
    )
    .join('');
}

function anchor({ text, url }: Link): string {
  return `<a href="${html(url)}" class="link" style="color:${light.accent};text-decoration:none">${html(text)}</a>`;
}

/** As on the page of the check, without its colours: those of a mail are for one of two backgrounds. */
function withBoldErrors(text: string): string {
  return markedLines(text)
    .map((line) => (line.isError ? `<b>${html(line.text)}</b>` : html(line.text)))
    .join('\n');
}

function outputBlock({ output, tone }: MailContent): string {
  if (!output) return '';
  const label = `<p class="text" style="${base};margin:0 0 8px;font-size:13px;font-weight:600">${html(output.label)}</p>`;
  const note =
    output.note === '' ? '' : `<p class="faint" style="${faint};margin:0 0 8px">${html(output.note)}</p>`;
  const box =
    output.text === ''
      ? ''
      : `<table ${layout} style="table-layout:fixed"><tr><td class="box text" style="background:${light.subtle};border:1px solid ${light.line};border-radius:6px;padding:12px"><pre style="margin:0;${mono};font-size:12px;line-height:20px;white-space:pre-wrap;${wrapping}">${tone === 'down' ? withBoldErrors(output.text) : html(output.text)}</pre></td></tr></table>`;
  return label + note + box;
}

/** The padding is the link's, so that a finger meets it wherever it is put. Outlook, which shows none on a link, takes that of the cell. */
function buttonTable({ button, more }: MailContent): string {
  const cells = [
    buttonCell(button, {
      cell: `class="accent act" style="background:${light.accent};border:1px solid ${light.accent}`,
      link: `class="on-accent tap" style="color:${light.onAccent};font-weight:600`,
    }),
    ...more.map((link) =>
      buttonCell(link, {
        cell: `class="outline act" style="border:1px solid ${light.outline}`,
        link: `class="link tap" style="color:${light.accent};font-weight:500`,
      }),
    ),
  ];
  const gap = '<td class="gap" width="12" style="font-size:0;line-height:0">&nbsp;</td>';
  return `<table class="acts" role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:20px;border-collapse:separate"><tr>${cells.join(gap)}</tr></table>`;
}

/** `look`: the beginning of the attributes of the cell and of the link in it, up to within their style. */
function buttonCell({ text, url }: Link, look: { readonly cell: string; readonly link: string }): string {
  const padding = '12px 16px';
  return `<td align="center" ${look.cell};border-radius:6px;mso-padding-alt:${padding}"><a href="${html(url)}" ${look.link};${sans};font-size:14px;line-height:20px;text-decoration:none;display:inline-block;padding:${padding}">${html(text)}</a></td>`;
}

function othersRow({ others }: MailContent): string {
  if (!others) return '';
  const { bar, mark } = tones.down;
  const rows = others.checks.map(
    ({ link, detail }) =>
      `<tr><td class="mark ink-down" width="16" valign="top" style="${base};color:${bar};font-weight:700;padding:5px 0">${mark}</td>` +
      `<td class="value text" valign="top" style="${base};padding:5px 0">${anchor(link)}</td>` +
      `<td class="detail faint" width="200" align="right" valign="top" style="${faint};padding:5px 0">${html(detail)}</td></tr>`,
  );
  const label = `<p class="text" style="${base};margin:0 0 4px;font-size:13px;font-weight:600">${html(others.label)}</p>`;
  const below = [others.more ? anchor(others.more) : '', html(others.note)];
  const notes = below
    .filter((part) => part !== '')
    .map((part) => `<p class="faint" style="${faint};margin:4px 0 0">${part}</p>`)
    .join('');
  const list =
    rows.length === 0 ? '' : `${label}<table ${layout} style="table-layout:fixed">${rows.join('')}</table>`;
  return cell(list + notes, `padding:16px 24px;border-top:1px solid ${light.line}`, 'line');
}

function footerRow({ footer }: MailContent): string {
  if (footer.reason === '' && footer.links.length === 0) return '';
  const links = footer.links.map((link) => anchor(link)).join(' &nbsp;·&nbsp; ');
  const style = `font-size:12px;line-height:18px;color:${light.text3};padding:16px 24px;background:${light.subtle};border-top:1px solid ${light.line};border-radius:0 0 10px 10px`;
  return cell(`${html(footer.reason)}<br>${links}`, style, 'foot box faint');
}
