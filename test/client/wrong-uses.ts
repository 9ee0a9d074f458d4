/** Ways to call `knell run` wrongly: arguments, variables, and what is said of it. */
export const uuid = '0c8983c9-9d73-446f-adb5-0641fdacc9d4';

export const wrongUses = [
  ['no command', ['--check', 'a'], {}, /name the command/],
  ['an unknown option', ['--chek', 'a', '--', 'true'], {}, /did you mean --check\?/],
  ['an option without its value', ['--check'], {}, /--check needs a value/],
  ['a slug without a key', ['--check', 'a', 'true'], {}, /KNELL_PING_KEY/],
  ['no slug', ['--check', 'My Check', 'true'], {}, /neither a UUID nor a slug/],
  ['no address', ['true'], { KNELL_PING_URL: '' }, /KNELL_PING_URL/],
  ['no check', ['true'], { KNELL_PING_URL: 'http://127.0.0.1:1' }, /--check/],
  ['a bad address', ['true'], { KNELL_PING_URL: 'ftp://x' }, /http:\/\//],
  ['a bad time', ['--timeout', 'soon', 'true'], {}, /--timeout/],
  ['too many tries', ['--retries', '99', 'true'], {}, /--retries/],
  ['a bad run ID', ['--rid=x', 'true'], {}, /--rid/],
  ['--create for a UUID', ['--check', uuid, '--create', 'true'], {}, /--create/],
  ['a grace time for a UUID', ['--check', uuid, '--create-grace=1h', 'true'], {}, /--create/],
  ['a grace time that is none', ['--check', 'a', '--create-grace=x', 'true'], {}, /--create-grace/],
] as const;
