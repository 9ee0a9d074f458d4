/** What an answer costs to write. */
import { checkRenderer } from '../../src/http/api/check-json.ts';
import { badgeSvg } from '../../src/http/badges/badge-svg.ts';
import { benchMs, upCheck } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

const check = upCheck(1);
const view = { baseUrl: 'http://localhost:8000', version: 3, nowMs: benchMs } as const;
const render = checkRenderer({ ...view, readOnly: false });
const renderReadOnly = checkRenderer({ ...view, readOnly: true });

export const httpTasks: readonly Task[] = [
  { name: 'check as JSON', run: () => render(check) },
  { name: 'check as JSON, read-only', run: () => renderReadOnly(check) },
  { name: 'badge as SVG', run: () => badgeSvg('nightly backup', 'up') },
];
