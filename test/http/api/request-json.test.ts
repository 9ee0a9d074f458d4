import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestJson } from '../../../src/http/api/request-json.ts';
import { parseSpec } from '../../../src/spec/check-spec.ts';
import { httpRequest } from '../../support/wire/http-call.ts';

function outcome(body: string | Uint8Array): unknown {
  const read = requestJson(httpRequest({ url: '/', body }));
  return read.ok ? read.json : [read.reply.status, read.reply.body];
}

const unparsable = [400, '{"error":"could not parse request body"}'];
const noObject = [400, '{"error":"json validation error: value is not an object"}'];

describe('the body of a request', () => {
  it('is an empty object when it is empty', () => {
    expect(outcome('')).toEqual({});
  });

  it.each(['this is not json', '{', '{"a":NaN}', '\ufeff{}', "{'a':1}", '[1.5', '01.5'])(
    'refuses %j',
    (body) => {
      expect(outcome(body)).toEqual(unparsable);
    },
  );

  it.each(['[', '{"a":'])('refuses a hundred thousand levels of %s', (opening) => {
    const closing = opening === '[' ? ']' : '}';
    expect(outcome(`{"x":${opening.repeat(100_000)}1${closing.repeat(100_000)}}`)).toEqual(unparsable);
  });

  it('takes brackets in strings for text', () => {
    expect(outcome(JSON.stringify({ desc: '[{"'.repeat(500) }))).toEqual({ desc: '[{"'.repeat(500) });
  });

  it('refuses what is not UTF-8', () => {
    expect(outcome(Uint8Array.of(0x22, 0xff, 0x22))).toEqual(unparsable);
  });

  it.each(['123', '1.5', '[1,2,3]', '"text"', 'null', 'true'])('refuses %s, which is no object', (body) => {
    expect(outcome(body)).toEqual(noObject);
  });

  it('refuses a body that was cut, and says how much it takes', () => {
    const read = requestJson(httpRequest({ url: '/', body: '{"a":1', bodyCut: true }));
    expect(read.ok).toBe(false);
    expect(!read.ok && read.reply.status).toBe(413);
    expect(!read.ok && read.reply.body).toContain('keep it under 6 bytes');
  });

  it.each(['60.0', '6e1', '1e3', '-60.0', '6.0E+1'])(
    'does not take the float %s for a whole number',
    (number) => {
      const read = requestJson(httpRequest({ url: '/', body: `{"timeout": ${number}}` }));
      expect(read.ok && parseSpec(read.json)).toEqual({
        ok: false,
        error: 'json validation error: timeout is not a number',
      });
    },
  );

  it('leaves text that looks like a float alone', () => {
    const json = { name: '1.5e3 "60.0" \\', timeout: 60, tags: 'v1.0 2e5' };
    expect(outcome(JSON.stringify(json))).toEqual(json);
  });

  it('survives deep nesting', () => {
    expect(outcome('['.repeat(200_000))).toEqual(unparsable);
  });

  it('reads every object whose numbers are whole as it was written', () => {
    const json = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    );
    fc.assert(
      fc.property(json, (object) => {
        expect(outcome(JSON.stringify(object))).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  it('answers any bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (body) => outcome(body) !== undefined));
    fc.assert(fc.property(fc.string(), (body) => outcome(body) !== undefined));
  });
});
