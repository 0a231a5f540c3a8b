import { command, membersOf, type RtmpCommand } from './commands.js';
import type { ServerMessage } from './rtmpMessage.js';
import { RtmpProtocolError } from './protocolError.js';

const transactions = { connect: 1, createStream: 2, play: 3 } as const;
/** Start value for a live stream, or a recorded one of the same name. */
const anyStart = -2000;
/** The values that ffmpeg sends: H.264, AAC and all older codecs. */
const capabilities = { fpad: false, capabilities: 15, audioCodecs: 4071, videoCodecs: 252, videoFunction: 1 };
/** Codes of `onStatus` after which no media follows. */
const endCodes = new Set(['NetStream.Play.UnpublishNotify', 'NetStream.Play.Stop', 'NetStream.Play.Complete']);

/**
 * The commands of a connection that plays one stream. The last path segment, with the query, is the stream name; the segments
 * before it are the application.
 */
export class PlayCommands {
  #hasEnded = false;

  constructor(
    private readonly url: URL,
    private readonly onPlaying: () => void,
  ) {}

  /** The server has reported the end of the stream. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The first command, after the handshake. */
  begin(): ServerMessage[] {
    const { protocol, host, pathname } = this.url;
    const app = decodeURIComponent(pathname.slice(1, Math.max(1, pathname.lastIndexOf('/'))));
    const tcUrl = `${protocol}//${host}/${app}`;
    return [command(0, 'connect', transactions.connect, { app, tcUrl, ...capabilities })];
  }

  /** The commands that follow a command of the server. Throws RtmpProtocolError if the server refuses. */
  respond({ name, transaction, values }: RtmpCommand): ServerMessage[] {
    if (name === '_error') throw new RtmpProtocolError(`the server refuses: ${codeOf(values)}`);
    if (name === 'onStatus') this.#takeStatus(values);
    if (name !== '_result') return [];
    if (transaction === transactions.connect) return [command(0, 'createStream', transactions.createStream, null)];
    const [, streamId] = values;
    if (transaction !== transactions.createStream || typeof streamId !== 'number') return [];
    const { pathname, search } = this.url;
    const stream = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1)) + search;
    return [command(streamId, 'play', transactions.play, null, stream, anyStart)];
  }

  #takeStatus(values: RtmpCommand['values']): void {
    const code = codeOf(values);
    if (membersOf(values.at(-1)).get('level') === 'error')
      throw new RtmpProtocolError(`the server does not play the stream: ${code}`);
    if (code === 'NetStream.Play.Start') this.onPlaying();
    if (endCodes.has(code)) this.#hasEnded = true;
  }
}

/** Limited for the log, because a server may send any text. */
function codeOf(values: RtmpCommand['values']): string {
  const code = membersOf(values.at(-1)).get('code');
  return typeof code === 'string' ? code.slice(0, 100) : 'no code';
}
