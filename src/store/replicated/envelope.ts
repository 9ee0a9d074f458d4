/**
 * An entry of the replicated log as one message, and back. `codec/records` says what a batch contains; `entry-stream` keeps
 * messages.
 *
 * Layout, little-endian: version u8, kind u8, length of the node's name u8, zero u8, CRC-32 u32, number f64, epoch f64, the
 * node's name, the batch. The checksum covers everything but itself. In every future version the first byte is the version
 * and bytes 4 to 7 are the checksum, so that a damaged entry is never taken for one of a newer version.
 */
import { crc32 } from 'node:zlib';
import { assert, KnellError } from '../../lib/errors.ts';
import { entryKinds, type LogEntry } from './replicated-log.ts';

const version = 1;
const headBytes = 24;
const checksumAt = 4;
const seqAt = 8;
const epochAt = 16;

/** Longest name of a node, in bytes of UTF-8. */
export const nodeNameBytesMax = 255;

/** Largest size of an envelope, without the batch. */
export const envelopeBytesMax = headBytes + nodeNameBytesMax;

/** The bytes are the message's own: the entry may be changed afterwards. */
export function encodeEntry({ seq, kind, epoch, node, bytes }: LogEntry): Buffer {
  const nodeBytes = Buffer.byteLength(node);
  assert(nodeBytes > 0 && nodeBytes <= nodeNameBytesMax, 'a node has a name of at most 255 bytes');
  const message = Buffer.allocUnsafeSlow(headBytes + nodeBytes + bytes.length);
  message[0] = version;
  message[1] = entryKinds.indexOf(kind);
  message[2] = nodeBytes;
  message[3] = 0;
  message.writeDoubleLE(seq, seqAt);
  message.writeDoubleLE(epoch, epochAt);
  message.write(node, headBytes);
  bytes.copy(message, headBytes + nodeBytes);
  message.writeUInt32LE(checksumOf(message), checksumAt);
  return message;
}

/**
 * The entry that the message at the place `seq` contains; its bytes are a view of the message. Throws a KnellError:
 * `cluster-log-damaged`, or `cluster-log-newer` for one that a newer Knell wrote.
 */
export function decodeEntry(message: Buffer, seq: number): LogEntry {
  const isWhole = message.length >= headBytes && message.readUInt32LE(checksumAt) === checksumOf(message);
  if (!isWhole) throw damaged(seq, 'its checksum is wrong');
  const [format = 0, kindCode = 0, nodeBytes = 0] = message;
  const kind = entryKinds[kindCode];
  if (format > version || (format === version && kind === undefined)) throw newer(seq);
  if (format !== version || kind === undefined) throw damaged(seq, 'its format is unknown');
  const ownSeq = message.readDoubleLE(seqAt);
  if (ownSeq !== seq) throw damaged(seq, `it was written as entry ${ownSeq}`);
  const start = headBytes + nodeBytes;
  if (nodeBytes === 0 || start > message.length) throw damaged(seq, 'it names no node');
  return {
    seq,
    kind,
    epoch: message.readDoubleLE(epochAt),
    node: message.toString('utf8', headBytes, start),
    bytes: message.subarray(start),
  };
}

/** The checksum that `encodeEntry` has put into the message. */
export function checksumIn(message: Buffer): number {
  return message.readUInt32LE(checksumAt);
}

function checksumOf(message: Buffer): number {
  return crc32(message.subarray(seqAt), crc32(message.subarray(0, checksumAt)));
}

function damaged(seq: number, what: string): KnellError {
  return new KnellError(
    'cluster-log-damaged',
    `entry ${seq} of the cluster's log is damaged: ${what}. "knell cluster rebuild" creates a new log from the node that has the most`,
  );
}

/** Error for an entry whose envelope, or whose batch, this Knell does not know. */
export function newer(seq: number): KnellError {
  return new KnellError(
    'cluster-log-newer',
    `entry ${seq} of the cluster's log was written by a newer Knell: update this node`,
  );
}
