/** Checks as the threads of a start put them together. */
import type { Check, CheckState } from '../../../src/domain/check/check.ts';
import { ByteWriter } from '../../../src/store/codec/byte-writer.ts';
import { checkRow, stateBytesMax, writeState } from '../../../src/store/codec/check.ts';
import { CheckPart, CheckPartWriter } from '../../../src/store/codec/check-part.ts';
import { bytesOfUuid } from '../../../src/store/codec/uuid.ts';

/** As it is stored, without the counters. */
export function stateBytes(state: CheckState): Buffer {
  const writer = new ByteWriter(stateBytesMax);
  writer.reserve(stateBytesMax);
  writeState(writer, state);
  return Buffer.from(writer.view());
}

/** A part of all of them, in `memory`. */
export function partOf(memory: SharedArrayBuffer, checks: readonly Check[]): CheckPart {
  const writer = new CheckPartWriter(memory);
  for (const check of checks) {
    if (!writer.put(bytesOfUuid(check.id), stateBytes(check.state), checkRow.write(check)))
      throw new Error(`no space for ${check.id}`);
  }
  writer.close();
  return new CheckPart(memory);
}
