/**
 * A mail's HTML as it may be shown: its words, their order and its tables, built from what is known to be harmless. `mail` reads
 * the mail, and `body-viewer` has the frame in which it is shown.
 * Invariant: nothing of what comes out loads, links, sends or runs. The frame forbids all of that too, but a sandbox does not
 * stop a frame from being led away by a link, and browsers let requests of frames within frames through.
 */

/** Elements that are kept; others give way to what they hold. */
const kept: ReadonlySet<string> = new Set(
  `a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
  figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small
  span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`.split(/\s+/),
);

/** Elements that are dropped with what they hold, which is no text. */
const dropped: ReadonlySet<string> = new Set(
  `applet audio canvas datalist embed frame frameset head iframe map math noembed noframes noscript object script select
  style svg template textarea title video`.split(/\s+/),
);

const keptAttributes: ReadonlySet<string> = new Set(
  `align alt bgcolor border cellpadding cellspacing color colspan dir face height lang reversed rowspan size start title
  valign width`.split(/\s+/),
);

/** The policy of the frame: that of the page, without the page's own origin. */
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">`;

/** Returns a document of its own, as text. */
export function shownHtml(html: string): string {
  // Neither of the two documents is shown: they load nothing and run nothing.
  const given = new DOMParser().parseFromString(html, 'text/html');
  const made = document.implementation.createHTMLDocument('');
  copyInto(made.body, given.body);
  return `<!doctype html>${policy}${made.body.innerHTML}`;
}

/** Copies what is harmless. The recursion is as deep as the browser nests what it parses: some hundreds. */
function copyInto(to: Element, from: Node): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent ?? '');
    else if (node instanceof Element && !dropped.has(node.localName)) {
      copyInto(kept.has(node.localName) ? to.appendChild(copyOf(to, node)) : to, node);
    }
  }
}

function copyOf(to: Element, from: Element): Element {
  const copy = to.ownerDocument.createElement(from.localName);
  for (const { name, value } of from.attributes) {
    if (keptAttributes.has(name)) copy.setAttribute(name, value);
  }
  const source = from.getAttribute('src') ?? '';
  if (from.localName === 'img' && /^data:image\//i.test(source)) copy.setAttribute('src', source);
  // The reader should see where a link would lead, but must not be led there.
  if (from.localName === 'a') copy.setAttribute('title', from.getAttribute('href') ?? '');
  return copy;
}
