import { readFile, rename } from 'node:fs/promises';
import { Agent, get as httpGet } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { usageOf } from '../../shared/license/usage.service.js';
import { writeEdgeToken } from '../../shared/playback/edgeToken.js';
import { playContent } from '../../shared/playback/playContent.js';
import { reportUsage, type SendBatch } from '../../scripts/edgeUsage.js';
import { seedBoxItem, seedStream, type SeededItem } from '../support/rows.js';
import { eventually } from '../support/eventually.js';
import { makeSegment } from '../support/liveStreams.js';
import type { BuiltProcess } from '../support/deployment.js';
import { rawRequest } from '../support/rawRequest.js';
import { describeWith, requirements } from '../support/requirements.js';
import { useFixture } from '../support/fixtures.js';
import { openEdge, openEdgeChannel } from './edgeFixture.js';

describeWith(requirements.nginxJavaScript, 'an edge server', function () {
  this.timeout(60_000);
  const edge = useFixture(openEdge);
  let web: BuiltProcess;
  let item: SeededItem;
  let files: ReadonlyMap<string, Buffer>;

  before(async () => {
    web = await edge.startWeb();
    await edge.startNginx();
    item = await seedBoxItem(edge.deployment.ctx, edge.owner.userId);
    files = await seedStream(edge.deployment.ctx, item.folder);
  });

  const get = (address: string, headers: Readonly<Record<string, string>> = {}) => {
    const { pathname, search } = new URL(address, edge.api.url);
    return rawRequest(edge.api, {
      method: 'GET',
      path: pathname + search,
      headers: Object.entries({ origin: 'https://elsewhere.example', ...headers }).flat(),
    });
  };

  /** Both addresses in the response to a play. */
  async function play(kind: 'full' | 'preview' = 'full', played = item) {
    const content = {
      ...{ id: played.contentId, folder: played.contentId, state: 'READY' as const },
      ...{ readyGeneration: 1, readyAttempt: null, durationMs: 60_000 },
    };
    const by = { publisherCode: edge.owner.userCode, viewerCode: edge.owner.userCode, kind };
    return playContent(edge.deployment.ctx, { content, ...by });
  }

  interface Logged {
    readonly uri: string;
    readonly status: number;
    readonly bytes: number;
    /** Empty: neither the cache nor the origin was consulted. */
    readonly cache: string;
  }

  /** The log lines of a file. */
  async function logged(name: string): Promise<Logged[]> {
    const text = await readFile(join(edge.folder, 'edge.log'), 'utf8');
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Logged).filter(({ uri }) => uri.includes(name));
  }

  it('sends playlists and segments to all viewers of a film and requests each of them once', async () => {
    const [one, other] = [await play(), await play()];
    expect(new URL(one.uniqueStreamer).pathname, 'one path for all').to.equal(new URL(other.uniqueStreamer).pathname);
    expect(one.uniqueStreamer).not.to.equal(other.uniqueStreamer);
    expect(one.uniqueStreamer.startsWith(`${edge.api.url}/e/e1.full.`)).to.equal(true);
    for (const { uniqueStreamer, streamer } of [one, other]) {
      for (const address of [uniqueStreamer, streamer]) {
        const master = await get(address);
        expect([master.status, master.text]).to.deep.equal([200, files.get('master.m3u8')?.toString()]);
        const segment = await get(new URL('240p/s0.m4s', address).href);
        expect([segment.status, segment.text]).to.deep.equal([200, files.get('240p/s0.m4s')?.toString()]);
        expect(segment.headers).to.include({
          'content-type': 'video/iso.segment',
          'cache-control': 'public, max-age=31536000, immutable',
          'access-control-allow-origin': '*',
        });
      }
    }
    for (const name of ['/master.m3u8', '240p/s0.m4s'])
      expect((await logged(name)).map(({ cache }) => cache)).to.deep.equal(['MISS', 'HIT', 'HIT', 'HIT']);
    const range = await get(new URL('240p/s0.m4s', one.streamer).href, { range: 'bytes=10-19' });
    expect([range.status, range.text]).to.deep.equal([206, 'abcdefghij']);
  });

  it('requests a file once if many viewers request it at the same time', async () => {
    const { streamer } = await play();
    const address = new URL('240p/init.mp4', streamer).href;
    const all = await Promise.all(Array.from({ length: 200 }, (_, viewer) => get(`${address}?session=${viewer}`)));
    expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    const asked = (await logged('240p/init.mp4')).filter(({ cache }) => cache !== 'HIT');
    expect(asked).to.have.length(1);
  });

  it('requests the playlist of a live channel at most twice a second for any number of viewers', async () => {
    const { ctx } = edge.deployment;
    const { run, path } = await openEdgeChannel(edge, ['240p']);
    let startsAt = Date.now() - 20_000;
    const publish = (): Promise<unknown> => {
      startsAt += 2_000;
      return makeSegment(ctx, run, { renditions: ['240p'], startsAt: new Date(startsAt) });
    };
    for (let segment = 0; segment < 8; segment += 1) await publish();
    const list = `${edge.api.url}${path}240p.m3u8`;
    const viewers = 200;
    const begun = performance.now();
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    const statuses = new Map<number, number>();
    const lists = new Set<string>();
    const isWatched = (): boolean => {
      const watchedMs = performance.now() - begun;
      return watchedMs < 6_000 || (lists.size < 3 && watchedMs < 20_000);
    };
    const watch = async (viewer: number): Promise<void> => {
      while (isWatched()) {
        const { status, text } = await ask(agent, `${list}?session=${viewer}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        lists.add(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1] ?? '');
        await sleep(1_500 + (viewer % 10) * 100);
      }
    };
    const encoder = setInterval(() => void publish(), 2_000);
    await Promise.all(Array.from({ length: viewers }, (_, viewer) => watch(viewer)));
    clearInterval(encoder);
    agent.destroy();
    const seconds = (performance.now() - begun) / 1_000;
    expect([...statuses.keys()]).to.deep.equal([200]);
    expect(statuses.get(200)).to.be.above(viewers * 2);
    expect(lists.size, 'the playlist continues').to.be.above(2);
    const asked = (await logged('240p.m3u8?session')).filter(({ cache }) => cache !== 'HIT' && cache !== 'UPDATING');
    expect(asked.length, `of ${statuses.get(200)} requests in ${seconds} s`).to.be.within(3, 2 * seconds);
  });

  it('rejects a forged, foreign or expired token without a request, in any spelling of the path', async () => {
    const { ctx } = edge.deployment;
    const { streamer } = await play();
    const preview = (await play('preview')).streamer;
    const stranger = await seedBoxItem(ctx, edge.owner.userId);
    await seedStream(ctx, stranger.folder);
    const { pathname } = new URL(new URL('240p/s1.m4s', streamer).href);
    const [, , token = '', ...path] = pathname.split('/');
    const prefix = `${path.slice(0, -2).join('/')}/`;
    const expired = {
      kind: 'full',
      publisherCode: edge.owner.userCode,
      prefix,
      expiresSeconds: 1_700_000_000,
    } as const;
    const foreign = writeEdgeToken([{ id: 'e1', secret: 'an unknown secret key' }], {
      ...expired,
      expiresSeconds: 4_000_000_000,
    });
    const tokens = [
      `${token.slice(0, -2)}AA`,
      token.replace('.full.', '.file.'),
      token.replace(/\.\d{10}\./, '.4000000000.'),
      token.replace('e1.', 'constructor.'),
      token.replace('e1.', 'e2.'),
      writeEdgeToken(ctx.config.playback.edge.keys, expired),
      foreign,
      new URL(preview).pathname.split('/')[2] ?? '',
      'x',
    ];
    const addresses = [
      ...tokens.map((other) => pathname.replace(token, other)),
      pathname.replace(item.contentId, stranger.contentId),
      pathname.replace('/content/', '/x/../content/'),
      pathname.replace('/content/', '/%63ontent/'),
      pathname.replace('/e/', '//e/'),
      pathname.replace('/e/', '/e/x/../'),
    ];
    const before = (await logged('')).filter(({ cache }) => cache !== '').length;
    for (const address of addresses) {
      const { status } = await rawRequest(edge.api, { method: 'GET', path: address, headers: [] });
      expect([400, 403, 404], address).to.include(status);
    }
    const after = (await logged('')).filter(({ cache }) => cache !== '').length;
    expect(after - before, 'requests to the cache or the origin').to.equal(0);
    const leaves = pathname.replace('/240p/', '/240p/../../g2/');
    expect((await rawRequest(edge.api, { method: 'GET', path: leaves, headers: [] })).status).to.equal(403);
  });

  it('reports each logged byte once when edge and service restart, and the bytes that the origin sends directly', async () => {
    const { ctx, api } = edge.deployment;
    const log = join(edge.folder, 'edge.log');
    const { integration, service } = ctx.config;
    const send: SendBatch = async (body) => {
      const response = await fetch(`${api.url}/rest/${service.integrationName}/edge/usage`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${integration!.user}:${integration!.password}`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      expect(response.status, await response.clone().text()).to.equal(200);
    };
    const bandBytes = async (): Promise<number> => (await usageOf(ctx, edge.owner.userId)).bandBytes;
    const { streamer } = await play();
    const segment = new URL('240p/s0.m4s', streamer).href;
    const received = async (address: string): Promise<number> => {
      const { status, text } = await get(address);
      expect(status).to.equal(200);
      return Buffer.byteLength(text);
    };
    let sent = 0;
    const watch = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) sent += await received(segment);
    };
    await reportUsage(log, send);
    const before = await bandBytes();
    await watch(20);
    await edge.startNginx();
    await watch(20);
    expect(await web.end('SIGTERM')).to.equal(0);
    await watch(20);
    await send({ batchId: 'of nobody', usage: [] }).then(
      () => expect.fail('the service is down'),
      () => {},
    );
    await reportUsage(log, send).then(
      () => expect.fail('the service is down'),
      () => {},
    );
    web = await edge.startWeb();
    await watch(20);
    await rename(log, `${log}.1`);
    await edge.startNginx();
    await watch(20);
    await reportUsage(log, send);
    await reportUsage(log, send);
    expect(await bandBytes()).to.equal(before + sent);
    expect(sent).to.be.above(0);

    const { pathname } = new URL(segment);
    const taken = await fetch(api.url + pathname);
    const bytes = (await taken.arrayBuffer()).byteLength;
    await eventually(async () => expect(await bandBytes()).to.equal(before + sent + bytes), {
      timeoutMs: 20_000,
      everyMs: 200,
    });
  });
});

/** Sends a request on a connection of an agent. */
function ask(agent: Agent, url: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    httpGet(url, { agent }, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    }).once('error', reject);
  });
}
