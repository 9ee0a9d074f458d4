/** The sentence that says what an incident is about. */
import { describe, expect, test } from 'vitest';
import type { Incident, IncidentCheck } from '../../../src/domain/alerting/incident.ts';
import { incidentTitle } from '../../../src/domain/alerting/incident-words.ts';
import { asCheckId, asIncidentId, asProjectId } from '../../../src/lib/ids.ts';

/** `db`: is down. `(db)`: was. `db+`: depends on another. */
function incidentOf(words: string, more = 0): Incident {
  const checks = words.split(' ').map(
    (word, at): IncidentCheck => ({
      id: asCheckId(`check ${at}`),
      name: word.replace(/[()+]/g, ''),
      joinedMs: 1,
      leftMs: word.startsWith('(') ? 2 : 0,
      isDependent: word.includes('+'),
    }),
  );
  const isOver = checks.every(({ leftMs }) => leftMs > 0);
  return {
    id: asIncidentId('incident'),
    projectId: asProjectId('project'),
    stage: isOver ? 'resolved' : 'open',
    openedMs: 1,
    resolvedMs: isOver ? 2 : 0,
    acknowledgedBy: '',
    acknowledgedMs: 0,
    checks,
    more,
    entries: [],
  };
}

describe('an incident', () => {
  test.each([
    ['db', 0, 'db is down'],
    ['db app+', 0, 'db is down and 1 depends on it'],
    ['db app+ page+ (mail+)', 0, 'db is down and 2 depend on it'],
    ['db app+', 20, 'db is down and 21 depend on it'],
    ['db app page+', 0, 'db and 1 more are down and 1 depends on them'],
    ['(db) app+', 0, 'app is down'],
    ['(db) app+ page+', 3, 'app and 4 more are down'],
    ['+', 0, 'Unnamed check is down'],
    ['(db)', 0, 'db was down'],
    ['(db) (app+)', 0, 'db was down, and 1 that depends on it'],
    ['(db) (app) (page+) (mail+)', 0, 'db and 1 more were down, and 2 that depend on them'],
  ])('%s and %d more is "%s"', (words, more, title) => {
    expect(incidentTitle(incidentOf(words, more))).toBe(title);
  });
});
