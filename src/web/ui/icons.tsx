/** Simple drawings in one stroke, 24 units wide. They stand beside words, or in a button that has a name. */

const bubble = 'M4 5h16v11h-8l-4.5 4v-4H4Z';
const phone = 'M8 3.5h8v17H8Z';
const frame = 'M4 5h16v14H4Z';
const circle = 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Z';

const paths = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 4.5 4.5',
  plus: 'M12 5v14M5 12h14',
  close: 'm6 6 12 12M18 6 6 18',
  up: 'm6 15 6-6 6 6',
  down: 'm6 9 6 6 6-6',
  right: 'm9 6 6 6-6 6',
  left: 'm15 6-6 6 6 6',
  incident: 'M12 4 21 19.500H3ZM12 10v4.500M12 17h.01',
  acknowledge: 'm2.5 12.5 4 4L14 7M11 15.5l1.5 1.500L21 7',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  bolt: 'M13 3 5 13.5h6L10.5 21 19 10.5h-6Z',
  copy: 'M9 9h10v11H9ZM5 15V4h10',
  pause: 'M9 6v12M15 6v12',
  play: 'M8 5.5v13l10.5-6.5Z',
  more: 'M5 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2ZM12 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2ZM19 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z',
  clock: `${circle}m0 4v4.5l3 2`,
  pencil: 'M4 20l1-4.5L16 4.5 19.5 8 8.5 19Z',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  sort: 'M4 7h16M7 12h10M10 17h4',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15ZM10 20.5h4',
  muted: 'M6 16.5V11a6 6 0 0 1 .8-3M9.5 5.5a6 6 0 0 1 8.5 5.5v2.5M18 18H4.5l1.5-1.5M10 20.5h4M4 3.5l16 17',
  mail: 'M4 6h16v12H4Zm0 1 8 6.5L20 7',
  hash: 'M9 4 7.5 20M16.5 4 15 20M4.5 9.5h16M3.5 15h16',
  chat: bubble,
  'chat-dots': `${bubble}M9 9.5v2M15 9.5v2`,
  'chat-lines': `${bubble}M8 9h8M8 12h5`,
  'chat-up': `${bubble}M12 13.5V8M9.5 10 12 7.5l2.5 2.5`,
  'chat-round': 'M12 4a8 8 0 1 1-4 15l-4 1 1-4A8 8 0 0 1 12 4Z',
  chats: 'M4 4.5h11v8H9l-3 3v-3H4ZM18 9h2.5v7.5H18v3l-3-3h-4',
  send: 'm4 11.5 16-7-5 15.5-4-6.5Zm7 2L20 4.5',
  phone: `${phone}M11.5 18h1`,
  'phone-lines': `${phone}M10.5 8h3M10.5 11h3`,
  'phone-waves': `${phone}M4.5 9v6M19.5 9v6`,
  call: 'M5 4h5l1.5 4.5-2.5 2a10 10 0 0 0 4.5 4.5l2-2.5L20 14v5.5C11 20 4 13 5 4Z',
  terminal: `${frame}m3.5 5 2.5 2.5L7.5 15M12.5 15H16`,
  browser: `${frame}M4 9h16M7 7h.01`,
  columns: `${frame}M8 8.5v7M12 8.5v4M16 8.5v5.5`,
  calendar: 'M5 6h14v13H5ZM5 10h14M9 4v4M15 4v4',
  pager: 'M4 7h16v10H4Zm3 3h6v3.5H7ZM16.5 10.5v3',
  beacon: 'M7 17v-4a5 5 0 0 1 10 0v4M4.5 17h15v3h-15ZM12 5V3M6 7 4.5 5.5M18 7l1.5-1.5',
  tree: 'M12 20.5V16M12 3.5 6.5 10H9l-4 6h14l-4-6h2.5Z',
  spike: 'M3 18h5l4-13 4 13h5',
  bars: 'M5 19v-4M10 19v-7M15 19V9M20 19V5',
  waves:
    'M12 12h.01M8.5 15.5a5 5 0 0 1 0-7M15.5 8.5a5 5 0 0 1 0 7M6 18a8.5 8.5 0 0 1 0-12M18 6a8.5 8.5 0 0 1 0 12',
  tray: 'M4 13h5l1 2.5h4l1-2.5h5M4 13l3-8h10l3 8v6H4Z',
  forward: `${circle}M8 12h8M13 9l3 3-3 3`,
  megaphone: 'M4 10v4h3l9 4.5v-13L7 10ZM8 14.5v4.5h2.5M19.5 10.5v3',
  fork: 'M4 12h15M9 12l5-6h5M9 12l5 6h5',
  cloud: 'M7.5 18a4 4 0 0 1-.5-8 5.5 5.5 0 0 1 10.5 1.5A3.3 3.3 0 0 1 17 18Z',
  hook: 'M12 4.5a3 3 0 0 1 2.5 4.7l3 5.3M12 4.5a3 3 0 0 0-2.5 4.7L6 15.5M6 18a3 3 0 0 0 3-2.5h9a2.5 2.5 0 1 1-2 4',
  grid: 'M5 5h5.5v5.5H5Zm8.5 0H19v5.5h-5.5ZM5 13.5h5.5V19H5Zm8.5 0H19V19h-5.5Z',
  people:
    'M9 5.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM3.5 19c.5-3.5 2.5-5 5.5-5s5 1.5 5.5 5M16 6a2.7 2.7 0 0 1 0 5.2M17 14.3c2 .5 3.2 2 3.5 4.7',
  pulse: 'M3 12.5h4l2.5-7 4 13 2.5-6h5',
  badge: 'M4 8h16v8H4Zm8 0v8',
  gear: 'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Zm0-4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM12 3v2.5M12 18.5V21M3 12h2.5M18.5 12H21M5.6 5.6l1.8 1.8M16.6 16.6l1.8 1.8M18.4 5.6l-1.8 1.8M7.4 16.6l-1.8 1.8',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: 14 | 16 | 20 | 40 }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The logo: a bell that swings, on a rounded square. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g transform="rotate(16 16 16)" fill="var(--on-accent)">
        <path d="M16 6a6.5 6.5 0 0 0-6.5 6.5V18L7.5 21.200h17L22.5 18v-5.500A6.5 6.5 0 0 0 16 6Z" />
      </g>
      <circle cx="19.3" cy="25" r="2.3" fill="var(--on-accent)" />
    </svg>
  );
}
