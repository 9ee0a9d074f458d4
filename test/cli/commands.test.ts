/** The commands where a server runs: it answers them. */
import { describe } from 'vitest';
import { commandSuite } from './command-suite.ts';

describe('the commands with a server running', () => commandSuite(true));
