/** Seeds from the command line, one after the other, in this process: `run.js FIRST COUNT`. What `main` spreads over cores. */
import { live } from './life.ts';

const [, , first = '1', count = '1'] = process.argv;
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  try {
    const { pings } = await live(seed);
    process.send?.({ seed, pings });
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    process.exitCode = 1;
    if (process.env.ALL === undefined) break;
  }
}
