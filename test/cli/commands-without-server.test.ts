/** The commands where no server runs: they open the data directory themselves. */
import { describe } from 'vitest';
import { commandSuite } from './command-suite.ts';

describe('the commands with none running', () => commandSuite(false));
