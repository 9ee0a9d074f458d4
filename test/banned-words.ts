/**
 * Words that names, comments and documents do not use, with those that the field uses instead. A stranger should guess
 * right at the first reading.
 */

/** As parts of names and as words of prose, in lower case. */
export const bannedWords: Readonly<Record<string, string>> = {
  awake: 'active',
  crowd: 'connections, burst',
  crowded: 'under load',
  desk: 'outbox admin',
  doings: 'actions',
  door: 'listener, endpoint, client',
  doors: 'listeners, endpoints, clients',
  doom: 'tombstone',
  doomed: 'deleted, tombstone',
  entrance: 'route handler',
  fate: 'outcome, outbox write',
  flaw: 'error',
  flawed: 'invalid',
  flaws: 'errors',
  fates: 'outcomes, outbox writes',
  guest: 'connection',
  guests: 'connections',
  hear: 'receive, be notified',
  heard: 'received, notified',
  hears: 'receives, is notified',
  hurry: 'expedite',
  lane: 'check queue',
  lanes: 'check queues',
  lot: 'batch',
  lots: 'batches',
  nap: 'sleep',
  news: 'updates',
  naps: 'sleeps',
  owe: 'pending',
  owed: 'pending, due',
  owes: 'has pending',
  reception: 'auth context',
  reckoned: 'counted, computed',
  rings: 'alerts',
  room: 'module, capacity, context',
  rooms: 'modules',
  shelf: 'index',
  shelves: 'indexes',
  tell: 'notify, report, show',
  telling: 'notifying, reporting',
  tells: 'notifies, reports, shows',
  told: 'notified, reported',
  visitor: 'principal',
  visitors: 'principals',
  whoever: 'anyone who, the code that',
  whomever: 'anyone whom',
};

/** What single words do not show. */
export const bannedPhrases: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\bfor want of\b/i, 'because there is no'],
  [/\bwant of space\b/i, 'disk full'],
  [/\bfor ever\b/i, 'permanently, without end'],
  [/\bso that nobody\b/i, 'so that no …'],
  [/\bleads? to\b/i, 'points to, causes'],
  [/\btaken back\b|takenBack/i, 'rolled back'],
  [/[a-z]Elsewhere\b/, '…Async'],
  [/\bstands\b/i, 'is'],
  [/\bunder way\b|[uU]nderWay/, 'in flight'],
  [/(?:begin|end)Together\b/, '…Group'],
  [/\bbeat(?:s|Ms|Of)?\b/, 'heartbeat'],
  [/\b(?:an|each|every|no) ask\b|\b(?:Ping|Http|Known)Asks?\b/, 'request'],
];

/** Where a banned word is the right one: a term of a vendor, a protocol or a standard. By file and word. */
export const allowedWords: readonly (readonly [file: RegExp, word: string])[] = [
  // The list itself.
  [/^test\/banned-words\.ts$/, '*'],
  // Matrix has rooms.
  [/matrix|^src\/integrations\/contract\/values\.ts$|^src\/docs\/integrations\.md$/, 'room'],
  [/matrix/, 'rooms'],
  [/^test\/notify\/(answers|vendors)\.test\.ts$/, 'room'],
  [/^test\/path\/audit-secrets\.test\.ts$/, 'room'],
  [/^src\/integrations\/chat\/matrix\.ts$/, '*'],
  [/^test\/support\/engine\/notices\.ts$/, 'room'],
  // A field of a command's JSON, from before the rule.
  [
    /^src\/notify\/admin\/outbox-admin\.ts$|^src\/cli\/owner\/outbox\.ts$|^src\/domain\/deliveries\/sent-notification\.ts$|^test\/path\/notify-failures\.test\.ts$/,
    'told',
  ],
  // The test of the rule.
  [/^test\/tidy-words\.test\.ts$/, '*'],
  // A time zone of that name.
  [/^src\/schedule\/time-zone-names\.ts$/, '*'],
];
