import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import type { FlvTag } from '../../../shared/media/flv/index.js';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { ChunkReader } from '../../../workers/rtmp/chunkReader.js';
import { encodeChunks } from '../../../workers/rtmp/chunkWriter.js';
import { command, connectError, connectResult, decodeCommand, result } from '../../../workers/rtmp/commands.js';
import { Handshake } from '../../../workers/rtmp/handshake.js';
import { defaultRtmpLimits } from '../../../workers/rtmp/limits.js';
import { messageType, windowAcknowledgementSize, type ServerMessage } from '../../../workers/rtmp/rtmpMessage.js';
import { RtmpPlayer } from '../../../workers/rtmp/player.js';
import { eventually } from '../../support/eventually.js';
import { media } from '../../support/rtmp/rtmpClient.js';

/** The messages that a server sends after `play`. */
type Script = (send: (...messages: ServerMessage[]) => void, socket: Socket) => void;

const status = (level: string, code: string): ServerMessage => command(1, 'onStatus', 0, null, { level, code });
const video = (payload: Buffer): ServerMessage => ({ type: messageType.video, streamId: 1, payload });
const started = status('status', 'NetStream.Play.Start');

describe('the player of an RTMP server', () => {
  let server: Server;
  let commands: string[];
  /** The types of the messages that are not commands. */
  let others: number[];
  let stop: AbortController;
  let serve: (socket: Socket) => void;

  before(async () => {
    server = withErrorListener(createServer((socket) => serve(socket)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    [commands, others, stop] = [[], [], new AbortController()];
  });
  afterEach(() => stop.abort());
  after(() => server.close());

  function scripted(play: Script, connect: ServerMessage = connectResult(1)) {
    return (socket: Socket): void => {
      const [handshake, reader] = [new Handshake('server'), new ChunkReader(defaultRtmpLimits)];
      const send = (...messages: ServerMessage[]): void =>
        messages.forEach((message) => void socket.write(encodeChunks(message, 128)));
      socket.on('data', (bytes: Buffer) => {
        const { reply, rest } = handshake.isDone ? { reply: null, rest: bytes } : handshake.read(bytes);
        if (reply) socket.write(reply);
        for (const message of reader.read(rest)) {
          if (message.type !== messageType.commandAmf0) {
            others.push(message.type);
            continue;
          }
          const { name, values, transaction } = decodeCommand(message);
          const [first, second] = values;
          commands.push(`${name} ${String(first instanceof Map ? first.get('app') : (second ?? ''))}`.trim());
          if (name === 'connect') send(connect);
          if (name === 'createStream') send(result(transaction, null, 1));
          if (name === 'play') play(send, socket);
        }
      });
    };
  }

  async function played(path: string, { idleMs = 10_000, onPlaying = () => {} } = {}): Promise<FlvTag[]> {
    const url = new URL(`rtmp://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    const tags: FlvTag[] = [];
    for await (const batch of new RtmpPlayer(url, { idleMs, signal: stop.signal, onPlaying }).tags())
      tags.push(...batch);
    return tags;
  }

  const failure = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'ended',
      (error: Error) => error.message,
    );

  it('plays the last path segment with its query and yields media until the server reports the end', async () => {
    serve = scripted((send) =>
      send(
        started,
        video(media.configuration),
        video(media.keyframe),
        status('status', 'NetStream.Play.UnpublishNotify'),
      ),
    );
    let playing = 0;
    const tags = await played('/live/one/st%20ream?token=a/b', { onPlaying: () => (playing += 1) });
    expect(commands).to.deep.equal(['connect live/one', 'createStream', 'play st ream?token=a/b']);
    expect(tags.map(({ payload }) => payload)).to.deep.equal([media.configuration, media.keyframe]);
    expect(playing).to.equal(1);
  });

  it('responds to pings and acknowledges windows, so that the server continues to send', async () => {
    const ping = { type: messageType.userControl, streamId: 0, payload: Buffer.from([0, 6, 0, 0, 0, 1]) };
    serve = scripted((send) => send(windowAcknowledgementSize(1000), ping, video(media.keyframe)));
    const ended = failure(played('/live/x'));
    await eventually(() => expect(others).to.include.members([messageType.userControl, messageType.acknowledgement]));
    stop.abort();
    expect(await ended).to.match(/abort/i);
  });

  it('rejects with the code of a server that rejects the connection or the stream', async () => {
    serve = scripted(() => {}, connectError(1, 'no'));
    expect(await failure(played('/live/x'))).to.include('NetConnection.Connect.Rejected');
    serve = scripted((send) => send(status('error', 'NetStream.Play.StreamNotFound')));
    expect(await failure(played('/live/x'))).to.include('NetStream.Play.StreamNotFound');
  });

  it('fails if the server is silent, stops, uses another protocol, or does not read', async () => {
    serve = () => {};
    expect(await failure(played('/live/x', { idleMs: 50 }))).to.include('50 ms');
    serve = scripted((_send, socket) => socket.resetAndDestroy());
    expect(await failure(played('/live/x'))).to.match(/ECONNRESET|hang up|closed/i);
    serve = (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    expect(await failure(played('/live/x'))).to.equal('not an RTMP handshake');
    const ping = { type: messageType.userControl, streamId: 0, payload: Buffer.from([0, 6, 0, 0, 0, 1]) };
    serve = scripted((_send, socket) => {
      socket.pause();
      const pings = Buffer.concat(Array.from({ length: 5000 }, () => encodeChunks(ping, 128)));
      const more = (): void => {
        if (!socket.destroyed) socket.write(pings, () => setImmediate(more));
      };
      more();
    });
    expect(await failure(played('/live/x'))).to.equal('the server does not read');
  });

  it('rejects an address with a password before it connects', async () => {
    const url = new URL('rtmp://user:secret@127.0.0.1/live/x');
    const options = { idleMs: 1000, signal: stop.signal, onPlaying() {} };
    expect(() => new RtmpPlayer(url, options)).to.throw('with a user and a password');
  });
});
