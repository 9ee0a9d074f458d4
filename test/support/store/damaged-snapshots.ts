/** Every kind of damage that a snapshot can have, made of a whole one. Where the bytes would be found out by the checksum
 * alone, it is made anew, so that what is inside has to be looked at. */
import { createHash } from 'node:crypto';

const headBytes = 12;
const trailBytes = 32;

interface Frame {
  readonly kind: number;
  readonly payload: Buffer;
}

/** By what is wrong with them. `golden` has checks, pings and a body. */
export function damagedSnapshots(golden: Buffer): ReadonlyMap<string, Buffer> {
  return new Map([...damagedBytes(golden), ...damagedFrames(golden)]);
}

function damagedBytes(golden: Buffer): [string, Buffer][] {
  const size = golden.length;
  return [
    ['empty', Buffer.alloc(0)],
    ['a text', Buffer.from('this is no snapshot, but a long enough text all the same\n')],
    ['all zeros', Buffer.alloc(size)],
    ['its magic alone', golden.subarray(0, 8)],
    ['its head alone', golden.subarray(0, headBytes)],
    ['another magic', changed(golden, 0)],
    ['format 0', withFormat(golden, 0)],
    ['a newer format', withFormat(golden, 99)],
    ['cut within the head of a frame', golden.subarray(0, headBytes + 3)],
    ['cut in its middle', golden.subarray(0, size >> 1)],
    ['cut before its checksum', golden.subarray(0, size - trailBytes)],
    ['cut by one byte', golden.subarray(0, size - 1)],
    ['a page of zeros in its middle', zeroed(golden, size >> 2, size >> 3)],
    ['a bit changed in its middle', changed(golden, size >> 1)],
    ['a bit changed in its checksum', changed(golden, size - 1)],
    ['a byte behind its end', Buffer.concat([golden, Buffer.of(0)])],
    ['itself behind its end', Buffer.concat([golden, golden])],
  ];
}

function damagedFrames(golden: Buffer): [string, Buffer][] {
  const frames = framesOf(golden);
  const made = (list: readonly Frame[]): Buffer => fileOf(golden, list);
  const at = (kind: number): number => frames.findIndex((frame) => frame.kind === kind);
  const frame = (kind: number): Frame => frames[at(kind)] ?? { kind, payload: Buffer.alloc(0) };
  const replaced = (kind: number, payload: Buffer): Buffer =>
    made(frames.map((one, index) => (index === at(kind) ? { kind, payload } : one)));
  const [check, pings, project, end] = [3, 4, 0x20, 255];
  const twice = (kind: number): Buffer =>
    made(frames.flatMap((one, index) => (index === at(kind) ? [one, one] : [one])));
  return [
    ['no end', made(frames.filter(({ kind }) => kind !== end))],
    ['its end twice', twice(end)],
    ['no frame at all', made([])],
    ['a frame of an unknown kind', made([{ kind: 99, payload: Buffer.alloc(4) }, ...frames])],
    ['a check that is not counted', twice(check)],
    ['pings that are not counted', made(frames.filter((_, index) => index !== at(pings)))],
    ['the pings of a check twice', twice(pings)],
    ['pings before their check', made([frame(pings), ...frames.filter((_, index) => index !== at(pings))])],
    ['a project behind the checks', made([...frames.slice(0, -1), frame(project), ...frames.slice(-1)])],
    ['its frames in reverse', made([...frames].reverse())],
    ['a frame that is too long for what it holds', replaced(1, Buffer.alloc(9))],
    ['a frame that is too short', replaced(check, frame(check).payload.subarray(0, 20))],
    ['a frame that says to be longer than the file', overlong(golden)],
  ];
}

function framesOf(golden: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  for (let at = headBytes; at < golden.length - trailBytes; ) {
    const size = golden.readUInt32LE(at + 1);
    frames.push({ kind: golden.readUInt8(at), payload: golden.subarray(at + 5, at + 5 + size) });
    at += 5 + size;
  }
  return frames;
}

function fileOf(golden: Buffer, frames: readonly Frame[]): Buffer {
  const parts = frames.flatMap(({ kind, payload }) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(kind);
    head.writeUInt32LE(payload.length, 1);
    return [head, payload];
  });
  return sealed(Buffer.concat([golden.subarray(0, headBytes), ...parts]));
}

function sealed(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, createHash('sha256').update(bytes).digest()]);
}

function overlong(golden: Buffer): Buffer {
  const bytes = Buffer.from(golden.subarray(0, golden.length - trailBytes));
  bytes.writeUInt32LE(15_000_000, headBytes + 1);
  return sealed(bytes);
}

function changed(golden: Buffer, at: number): Buffer {
  const bytes = Buffer.from(golden);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

function withFormat(golden: Buffer, format: number): Buffer {
  const bytes = Buffer.from(golden.subarray(0, golden.length - trailBytes));
  bytes.writeUInt32LE(format, 8);
  return sealed(bytes);
}

function zeroed(golden: Buffer, from: number, count: number): Buffer {
  return Buffer.from(golden).fill(0, from, from + count);
}
