/**
 * The SQLite database of Uptime Kuma as the JSON that its backup is, with status pages and maintenance too. Node reads it by
 * itself from 22.13 on, and before that the program `sqlite3`.
 * After the tables of Kuma's `db/kuma.db` and its migrations, from 1.23 on.
 * Invariants: whatever else is in the database, passwords above all, is not read; nothing is written, and nothing in it is run.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { KnellError, messageOf, systemCode } from '../../lib/errors.ts';
import { MB } from '../../lib/units.ts';
import { configurationBytesMax } from '../io/limits.ts';

/** `json_object` needs 3.38. */
const query = `
select json_object(
  'notificationList', (select json_group_array(json_object('id', id, 'name', name, 'config', config)) from notification),
  'monitorList', (select json_group_array(json_object('id', id, 'name', name, 'description', description, 'type', type,
      'active', active, 'interval', interval, 'retryInterval', retry_interval, 'maxretries', maxretries,
      'upsideDown', upside_down, 'pushToken', push_token,
      'notificationIDList', (select json_group_object(notification_id, json('true')) from monitor_notification where monitor_id = monitor.id),
      'tags', (select json_group_array(json_object('name', tag.name, 'value', monitor_tag.value))
        from monitor_tag join tag on tag.id = monitor_tag.tag_id where monitor_tag.monitor_id = monitor.id))) from monitor),
  'statusPageList', (select json_group_array(json_object('slug', slug, 'title', title, 'description', description,
      'publicGroupList', (select json_group_array(json_object('name', name,
          'monitorList', (select json_group_array(json_object('id', monitor_id)) from monitor_group where group_id = "group".id)))
        from "group" where status_page_id = status_page.id))) from status_page),
  'maintenanceList', (select json_group_array(json_object('title', title, 'active', active, 'strategy', strategy,
      'start_date', start_date, 'end_date', end_date, 'intervalDay', interval_day, 'cron', cron, 'duration', duration, 'timezone', timezone,
      'monitorList', (select json_group_array(json_object('id', monitor_id)) from monitor_maintenance where maintenance_id = maintenance.id)))
    from maintenance));`;

const header = 'SQLite format 3\0';

/** Whether a file is a database of SQLite; false for one that cannot be read. */
export function isSqlite(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(header.length);
      return (
        readSync(file, bytes, 0, bytes.length, 0) === bytes.length && bytes.toString('latin1') === header
      );
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** Throws a KnellError `usage` where `sqlite3` is needed and missing, or says that this is no database of Uptime Kuma. */
export function kumaDatabaseJson(path: string): string {
  const sqlite = nodeSqlite();
  return sqlite === null ? byProgram(path) : byNode(sqlite, path);
}

/** What is used of Node's `node:sqlite`. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(sql: string): { get(): Readonly<Record<string, unknown>> | undefined };
    close(): void;
  };
}

/** Null on a Node that has none. */
function nodeSqlite(): NodeSqlite | null {
  const { emitWarning } = process;
  // Node calls it experimental in a warning, which is nothing to its user.
  process.emitWarning = () => {};
  try {
    const found: unknown = process.getBuiltinModule?.('node:sqlite');
    return typeof found === 'object' && found !== null ? (found as NodeSqlite) : null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function byNode({ DatabaseSync }: NodeSqlite, path: string): string {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const [text] = Object.values(database.prepare(query).get() ?? {});
      if (typeof text === 'string' && text.length <= configurationBytesMax) return text;
      throw new Error(`it has more than ${configurationBytesMax / MB} MB of monitors and notifications`);
    } finally {
      database.close();
    }
  } catch (error) {
    throw new KnellError('usage', `cannot read ${path} as Uptime Kuma's database: ${messageOf(error)}`);
  }
}

function byProgram(path: string): string {
  const { status, stdout, stderr, error } = spawnSync(
    'sqlite3',
    ['-safe', '-readonly', '-batch', resolve(path)],
    {
      input: query,
      encoding: 'utf8',
      maxBuffer: configurationBytesMax,
    },
  );
  if (systemCode(error) === 'ENOENT')
    throw new KnellError(
      'usage',
      `${path} is a database, and the program sqlite3 that reads it is missing: install it (apt install sqlite3), run this where it is, with --server, or on Node 22.13 or later`,
    );
  if (status === 0 && stdout !== '') return stdout;
  const said = stderr.trim().split('\n')[0] || systemCode(error) || 'it said nothing';
  throw new KnellError(
    'usage',
    `sqlite3 3.38 or later cannot read ${path} as Uptime Kuma's database: ${said}`,
  );
}
