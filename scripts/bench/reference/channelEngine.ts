/*
 * The reference for cast channels: npm `eyevinn-channel-engine`, all of whose channels play one VOD again and again. Settings: PORT,
 * PACKAGES (the folder it is installed in), CHANNELS (their number), VOD_URL (a master playlist).
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

type Handler = (request: unknown, response: unknown, next: (error?: unknown) => void) => unknown;

interface Restify {
  createServer(this: void, ...parameters: unknown[]): { get(path: string, ...handlers: Handler[]): unknown };
}

interface Vod {
  readonly id: string;
  readonly title: string;
  readonly uri: string;
}

type Engine = new (
  assetManager: { getNextVod(request: { playlistId: string }): Promise<Vod> },
  options: { readonly channelManager: { getChannels(): readonly object[] } },
) => { start(): void; listen(port: number): void };

const { PORT, PACKAGES = '', CHANNELS, VOD_URL = '' } = process.env;
const load = createRequire(join(PACKAGES, 'package.json'));
acceptAsyncHandlers(load('restify') as Restify);
const ChannelEngine = load('eyevinn-channel-engine') as Engine;

/** Its version of restify refuses asynchronous handlers that take `next`; all its handlers are such. */
function acceptAsyncHandlers(restify: Restify): void {
  const { createServer } = restify;
  restify.createServer = (...parameters) => {
    const server = createServer(...parameters);
    const get = server.get.bind(server);
    server.get = (path, ...handlers) =>
      get(
        path,
        ...handlers.map(
          (handler): Handler =>
            (request, response, next) =>
              void handler(request, response, next),
        ),
      );
    return server;
  };
}

const profile = [
  { bw: 5_500_000, codecs: 'avc1.640028,mp4a.40.2', resolution: [1920, 1080] },
  { bw: 3_000_000, codecs: 'avc1.64001f,mp4a.40.2', resolution: [1280, 720] },
  { bw: 1_500_000, codecs: 'avc1.64001e,mp4a.40.2', resolution: [854, 480] },
  { bw: 900_000, codecs: 'avc1.64001e,mp4a.40.2', resolution: [640, 360] },
  { bw: 500_000, codecs: 'avc1.640015,mp4a.40.2', resolution: [426, 240] },
];
const channels = Array.from({ length: Number(CHANNELS) }, (_, index) => ({ id: `channel${index}`, profile }));
let vods = 0;
const engine = new ChannelEngine(
  { getNextVod: async () => ({ id: `vod${(vods += 1)}`, title: 'VOD', uri: VOD_URL }) },
  { channelManager: { getChannels: () => channels } },
);
engine.start();
engine.listen(Number(PORT));
process.send?.('ready');
