/** Status pages in a plan: by the model of an installation. */
import { expect, test } from 'vitest';
import { planLines } from '../../src/apply/plan-text.ts';
import { desiredOf, modelOf, planFor } from '../support/store/configuration-model.ts';

const checks = [{ slug: 'backup' }, { slug: 'report' }];
const page = {
  slug: 'northwind',
  title: 'Northwind',
  services: [
    { name: 'Backups', checks: ['backup'] },
    { name: 'Web', tag: 'prod' },
  ],
};
const web = (...status_pages: readonly object[]) => ({ projects: [{ name: 'web', checks, status_pages }] });

function linesOf(document: unknown, model = modelOf(web(page)), prune = false): readonly string[] {
  const plan = planFor(document, model, prune);
  expect(plan.problems).toEqual([]);
  model.run(plan);
  expect(planFor(document, model, prune).steps).toEqual([]);
  return planLines(plan.steps, { colour: false }).slice(1, -1);
}

test('a page is created with the checks that it shows, which are created with it', () => {
  expect(linesOf(web(page), modelOf({ projects: [{ name: 'web' }] })).slice(-4)).toEqual([
    '  + status page "northwind"',
    '      title: "Northwind"',
    '      time_zone: "UTC"',
    '      services: ["Backups: backup", "Web: tag prod"]',
  ]);
});

test('what a page has is changed, and its services keep their ids with their names', () => {
  const model = modelOf(web(page));
  const before = model.projects[0]?.statusPages[0]?.services;
  const services = [
    { name: 'Web', checks: ['report', 'backup'] },
    { name: 'New', tag: 'new' },
  ];
  expect(linesOf(web({ ...page, time_zone: 'Europe/Riga', services }), model)).toEqual([
    '  ~ status page "northwind"',
    '      time_zone: "UTC" → "Europe/Riga"',
    '      services: ["Backups: backup", "Web: tag prod"] → ["Web: backup, report", "New: tag new"]',
  ]);
  const [first, second] = model.projects[0]?.statusPages[0]?.services ?? [];
  expect(first?.id).toBe(before?.[1]?.id);
  expect(before?.map(({ id }) => id)).not.toContain(second?.id);
});

test('a page that is not in the file stays, and goes with --prune; not where there is no list', () => {
  expect(linesOf(web())).toEqual([]);
  expect(linesOf({ projects: [{ name: 'web', checks }] }, modelOf(web(page)), true)).toEqual([]);
  expect(linesOf(web(), modelOf(web(page)), true)).toEqual(['  - status page "northwind"']);
});

test('a page moves to another project with --prune only', () => {
  const moved = {
    projects: [
      { name: 'web', checks, status_pages: [] },
      { name: 'ops', status_pages: [{ ...page, services: [] }] },
    ],
  };
  const model = modelOf(web(page));
  expect(planFor(moved, model).problems.map(({ text }) => text)).toEqual([
    'a status page of another project has the slug northwind',
  ]);
  expect(linesOf(moved, model, true)).toContain('  - status page "northwind"');
  expect(model.projects.map(({ statusPages }) => statusPages.length)).toEqual([0, 1]);
});

test('a password is compared, never shown, stays where there is none in the file, and goes with an empty one', () => {
  const password = 'a very good one';
  const model = modelOf(web(page));
  const line = '      password: (secret)';
  expect(linesOf(web({ ...page, password }), model)).toEqual(['  ~ status page "northwind"', line]);
  expect(linesOf(web(page), model)).toEqual([]);
  expect(linesOf(web({ ...page, password: 'another good one' }), model)).toContain(line);
  const shown = linesOf(web({ ...page, password: '' }), model);
  expect(shown).toEqual(['  ~ status page "northwind"', '      password: "(secret)" → ""']);
  expect(model.projects[0]?.statusPages[0]?.password_hash).toBe('');
});

test.each([
  ['a check that is not there', { checks: ['no-such'] }, 'there is no check no-such in this project'],
  ['a slug that two checks have', { checks: ['twice'] }, 'several checks have the slug twice'],
])('%s is a problem of the file', (_, shows, text) => {
  const ids = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
  const twice = ids.map((id) => ({ id, slug: 'twice' }));
  const document = {
    projects: [
      { name: 'web', checks: twice, status_pages: [{ ...page, services: [{ name: 'One', ...shows }] }] },
    ],
  };
  const [problem, ...others] = planFor(document, modelOf({ projects: [{ name: 'web' }] })).problems;
  expect([problem?.text, others]).toEqual([expect.stringContaining(text), []]);
  expect(problem?.at.line).toBeGreaterThan(1);
});

test('with --prune, a check that the file does not have cannot be shown', () => {
  const document = { projects: [{ name: 'web', checks: [{ slug: 'report' }], status_pages: [page] }] };
  expect(planFor(document, modelOf(web(page)), true).problems.map(({ text }) => text)).toEqual([
    'service Backups: there is no check backup in this project',
  ]);
  expect(planFor(document, modelOf(web(page))).steps).toEqual([]);
});

const longName = 'n'.repeat(61);
test.each([
  [{ slug: 'North wind' }, 'slug does not match'],
  [{ title: ' ' }, 'title must not be empty'],
  [{ title: 'a\u0007' }, 'title must not have control characters'],
  [{ title: undefined }, 'title is missing'],
  [{ description: 'd'.repeat(501) }, 'description must have at most 500 characters'],
  [{ time_zone: 'Mars/Olympus' }, 'time_zone must be a time zone'],
  [{ logo: 'no base64!' }, 'logo must be a PNG or JPEG file in base64'],
  [{ logo: 'PGh0bWw+' }, 'the logo must be a PNG or JPEG file'],
  [{ password: 'short' }, 'password must have 10 to 200 characters'],
  [{ password: `\${env:NOT_SET}` }, 'the environment variable NOT_SET is not set'],
  [{ password: 'long enough', password_hash: 'x' }, 'set one of password and password_hash'],
  [{ password_hash: 'scrypt$1$1$1$x$y' }, 'password_hash is none that'],
  [{ services: 'Web' }, 'must be a list'],
  [{ services: [{ name: 'Web' }] }, 'service Web: set one of checks and tag'],
  [{ services: [{ name: 'Web', tag: 'a', checks: ['b'] }] }, 'service Web: set one of checks and tag'],
  [{ services: [{ name: 'Web', tag: 'two words' }] }, 'tag does not match'],
  [{ services: [{ name: 'Web', checks: [] }] }, 'checks must be a list of slugs or ids'],
  [{ services: [{ name: longName, tag: 'a' }] }, 'name must have at most 60 characters'],
  [{ services: Array.from({ length: 51 }, () => ({ name: 'a', tag: 'b' })) }, 'a status page has at most 50'],
  [{ notices: [] }, 'unknown field "notices"'],
])('the file is refused with %j', (wrong, text) => {
  const { problems } = desiredOf(web({ ...page, ...wrong }));
  expect(problems.map((problem) => problem.text)).toEqual([expect.stringContaining(text)]);
});

test('two pages cannot have the same slug, in whichever projects they are', () => {
  const document = { projects: [web(page).projects[0], { name: 'ops', status_pages: [page] }] };
  expect(desiredOf(document).problems.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^status page northwind is there already, at k.yaml:\d+:\d+$/),
  ]);
});
