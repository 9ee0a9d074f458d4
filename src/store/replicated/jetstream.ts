/**
 * A stream of JetStream as the replicated log needs it: requests of JetStream's API and their answers. `stream-log` uses
 * them, `jetstream-log` creates and checks a stream, and `nats-link` is the connection.
 *
 * Invariants: the subject has the stream's incarnation in it, so that nothing which was meant for one stream is stored in
 * another one of the same name. An answer to any attempt counts: a late one too.
 */
import { messageOf } from '../../lib/errors.ts';
import type {
  EntryStream,
  PublishAnswer,
  StoredMessage,
  StreamInfo,
  StreamListener,
} from './entry-stream.ts';
import { answersMax, readBatchBytesMax, requestMs } from './limits.ts';
import type { NatsLink, NatsMessage } from './nats-link.ts';

/** An answer of JetStream: `err_code` names the error. */
export interface ApiAnswer {
  readonly error?: { readonly code: number; readonly err_code?: number; readonly description?: string };
}

export interface StreamConfig {
  readonly subjects?: readonly string[];
  readonly num_replicas: number;
  readonly first_seq?: number;
  readonly allow_direct?: boolean;
}

export interface StreamInfoAnswer extends ApiAnswer {
  readonly config: StreamConfig;
  readonly state: { readonly messages: number; readonly first_seq: number; readonly last_seq: number };
}

interface MessageAnswer extends ApiAnswer {
  readonly message: { readonly hdrs?: string; readonly data?: string; readonly time?: string };
}

interface PublishApiAnswer extends ApiAnswer {
  readonly seq?: number;
}

/** Codes of JetStream's API. */
export const apiErrors = {
  accountFull: 10002,
  noPeers: 10005,
  unavailable: 10008,
  noResources: 10023,
  messageNotFound: 10037,
  notEnabledForAccount: 10039,
  storageFull: 10047,
  nameInUse: 10058,
  streamNotFound: 10059,
  wrongLastSequence: 10071,
  notClustered: 10074,
  notEnabled: 10076,
  wrongLastSequenceConstant: 10164,
} as const;

const noSpace: readonly number[] = [apiErrors.accountFull, apiErrors.noResources, apiErrors.storageFull];
const wrongSequence: readonly number[] = [apiErrors.wrongLastSequence, apiErrors.wrongLastSequenceConstant];

export function streamName(cluster: string): string {
  return `knell-${cluster}`;
}

export function logSubject(cluster: string, incarnation: string): string {
  return `knell.${cluster}.log.${incarnation}`;
}

/** Subject on which the stream publishes the entries that it has stored. */
export function entriesSubject(cluster: string, incarnation: string): string {
  return `knell.${cluster}.entries.${incarnation}`;
}

/** Rejects when there is no answer, or one with an error that is not expected. */
export async function askApi<Answer extends ApiAnswer>(
  link: NatsLink,
  request: string,
  body: object | null,
): Promise<Answer> {
  const text = body === null ? '' : JSON.stringify(body);
  const { data } = await link.request(`$JS.API.${request}`, text, requestMs);
  return JSON.parse(data.toString('utf8')) as Answer;
}

/** Null when there is no such stream. Rejects when its leader does not answer. */
export async function askStreamInfo(link: NatsLink, cluster: string): Promise<StreamInfoAnswer | null> {
  const answer = await askApi<StreamInfoAnswer>(link, `STREAM.INFO.${streamName(cluster)}`, null);
  if (answer.error?.err_code === apiErrors.streamNotFound) return null;
  throwError(answer);
  return answer;
}

export function throwError({ error }: ApiAnswer): void {
  if (error)
    throw new Error(`JetStream says: ${error.description ?? `error ${error.err_code ?? error.code}`}`);
}

/** Empty for a stream that Knell did not create. */
export function incarnationOf({ subjects = [] }: StreamConfig, cluster: string): string {
  const prefix = logSubject(cluster, '');
  const [subject = ''] = subjects;
  return subjects.length === 1 && subject.startsWith(prefix) ? subject.slice(prefix.length) : '';
}

export class JetStream implements EntryStream {
  readonly incarnation: string;
  readonly #link: NatsLink;
  readonly #cluster: string;
  readonly #subject: string;
  /** Answers come to `<inbox>.<number of the attempt>`. */
  readonly #inbox: string;
  readonly #answers = new Map<string, (answer: PublishAnswer) => void>();
  /** Batch requests for which more messages may come. */
  readonly #batches = new Map<string, (message: NatsMessage) => void>();
  readonly #subscription: { stop(): void };
  #attempts = 0;

  /** `inbox`: a subject that is this stream's only, in this process. */
  constructor(link: NatsLink, cluster: string, incarnation: string, inbox: string) {
    this.#link = link;
    this.#cluster = cluster;
    this.incarnation = incarnation;
    this.#subject = logSubject(cluster, incarnation);
    this.#inbox = inbox;
    this.#subscription = link.subscribe(`${inbox}.*`, (message, subject) => this.#answered(message, subject));
  }

  get messageBytesMax(): number {
    // Headers count too.
    return this.#link.messageBytesMax - headersBytesMax;
  }

  publish(
    { id, bytes, expectedSeq }: { id: string; bytes: Buffer; expectedSeq: number },
    answer: (answer: PublishAnswer) => void,
  ): void {
    const token = `${this.#attempts++}`;
    this.#answers.set(token, answer);
    this.#answers.delete(`${this.#attempts - answersMax}`);
    this.#link.publish({
      subject: this.#subject,
      data: bytes,
      reply: `${this.#inbox}.${token}`,
      headers: { 'Nats-Msg-Id': id, 'Nats-Expected-Last-Sequence': `${expectedSeq}` },
    });
  }

  async get(seq: number): Promise<StoredMessage | null> {
    const answer = await askApi<MessageAnswer>(this.#link, `STREAM.MSG.GET.${streamName(this.#cluster)}`, {
      seq,
    });
    if (answer.error?.err_code === apiErrors.messageNotFound) return null;
    throwError(answer);
    const { hdrs = '', data = '', time = '' } = answer.message;
    return {
      seq,
      id: idIn(Buffer.from(hdrs, 'base64').toString('utf8')),
      bytes: Buffer.from(data, 'base64'),
      storedAtMs: Date.parse(time),
    };
  }

  getMany(fromSeq: number, countMax: number): Promise<readonly StoredMessage[]> {
    return new Promise((resolve) => {
      const messages: StoredMessage[] = [];
      const end = (): void => {
        clearTimeout(timer);
        this.#batches.delete(token);
        resolve(messages);
      };
      // Whatever is lost, and a server that has ended in the middle, is asked for again.
      const timer = setTimeout(end, requestMs);
      const token = `${this.#attempts++}`;
      this.#batches.set(token, (message) => {
        const stored = storedMessage(message);
        const isNext = stored?.seq === fromSeq + messages.length;
        if (!stored || !isNext || message.header('Nats-Subject') !== this.#subject) return end();
        messages.push(stored);
        if (messages.length === countMax) return end();
        timer.refresh();
      });
      this.#link.publish({
        subject: `$JS.API.DIRECT.GET.${streamName(this.#cluster)}`,
        data: Buffer.from(JSON.stringify({ seq: fromSeq, batch: countMax, max_bytes: readBatchBytesMax })),
        reply: `${this.#inbox}.${token}`,
      });
    });
  }

  async info(): Promise<StreamInfo | null> {
    const answer = await askStreamInfo(this.#link, this.#cluster);
    if (!answer) return null;
    const { config, state } = answer;
    return {
      incarnation: incarnationOf(config, this.#cluster),
      originSeq: config.first_seq ?? 1,
      firstSeq: state.messages === 0 ? state.last_seq + 1 : state.first_seq,
      lastSeq: state.last_seq,
    };
  }

  listen(listener: StreamListener): { stop(): void } {
    const reconnects = this.#link.onReconnect(() => listener.resumed());
    const entries = this.#link.subscribe(entriesSubject(this.#cluster, this.incarnation), (message) => {
      const stored = storedMessage(message);
      if (stored) listener.message(stored);
    });
    return {
      stop: () => {
        reconnects.stop();
        entries.stop();
      },
    };
  }

  async close(): Promise<void> {
    this.#subscription.stop();
    this.#answers.clear();
  }

  #answered(message: NatsMessage, subject: string): void {
    const token = subject.slice(this.#inbox.length + 1);
    const batch = this.#batches.get(token);
    if (batch) {
      batch(message);
      return;
    }
    const answer = this.#answers.get(token);
    this.#answers.delete(token);
    answer?.(publishAnswer(message));
  }
}

/** Null for an answer that is none, such as the end of a batch. */
function storedMessage(message: NatsMessage): StoredMessage | null {
  const seq = Number(message.header('Nats-Sequence'));
  if (message.status !== 0 || !Number.isSafeInteger(seq) || seq <= 0) return null;
  const storedAtMs = Date.parse(message.header('Nats-Time-Stamp'));
  return { seq, id: message.header('Nats-Msg-Id'), bytes: message.data, storedAtMs };
}

/** Bytes of the headers that `publish` sends: an id of at most 60 bytes, a number, and their names. */
const headersBytesMax = 300;

/** No data: nobody listens on the subject, since the stream has no leader at the moment. */
function publishAnswer({ data }: NatsMessage): PublishAnswer {
  if (data.length === 0) return { kind: 'busy' };
  const { seq, error } = parsed(data);
  const code = error?.err_code ?? 0;
  if (!error && seq !== undefined) return { kind: 'stored', seq };
  if (wrongSequence.includes(code)) return { kind: 'refused' };
  return { kind: noSpace.includes(code) ? 'full' : 'busy' };
}

function parsed(data: Buffer): PublishApiAnswer {
  try {
    return JSON.parse(data.toString('utf8')) as PublishApiAnswer;
  } catch (error) {
    return { error: { code: 0, description: messageOf(error) } };
  }
}

function idIn(headers: string): string {
  return /^Nats-Msg-Id: *(\S+)/m.exec(headers)?.[1] ?? '';
}
