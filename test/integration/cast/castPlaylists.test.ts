import { expect } from 'chai';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { channelTimelines } from '../../../shared/cast/castTimeline.js';
import { segmentFiles } from '../../../shared/content/segmentFiles.js';
import { unwrittenBand } from '../../../shared/playback/bandCounter.js';
import type { AiringSource } from '../../../shared/cast/playout/index.js';
import { RefreshedCache } from '../../../shared/platform/refreshedCache.js';
import { castCaches, castPlaylist, playedCastChannel } from '../../../shared/playback/castPlaylist.queries.js';
import { startApi, type TestApi, bodyOf } from '../../support/api.js';
import {
  openCastFixture,
  processOf,
  storeContent,
  storeCut,
  storeLive,
  storeSlate,
} from '../../support/cast/castFixture.js';
import { eventually } from '../../support/eventually.js';
import { parseMaster, parseMedia, type ReadSegment } from '../../support/hlsPlaylist.js';
import { rawRequest } from '../../support/rawRequest.js';
import { createLoggedInUser } from '../../support/users.js';
import { useFixture } from '../../support/fixtures.js';

const minuteMs = 60_000;
const stepMs = 10 * minuteMs;
/** Playlists are this far behind the clock. */
const delayMs = 10_000;

describe('GET /s/{grant}/cast/{channel}/{playlist}', () => {
  const fixture = useFixture(openCastFixture);
  let processes: [TestApi, TestApi];
  let channelId: string;
  /** Path of the channel under a grant, with a trailing slash. */
  let path: string;

  before(async () => {
    const { ctx, owner } = fixture;
    channelId = await fixture.channel();
    // The ten-minute step in the URLs changes while the playlist window slides over these airings.
    const nowMs = ctx.clock.now().getTime();
    const stepEndMs = Math.ceil((nowMs + minuteMs) / stepMs) * stepMs;
    const startsAtMs = stepEndMs - 30_000;
    const content = await storeContent(ctx, owner.userId, { segmentCount: 200 });
    const slate = await storeSlate(ctx, channelId);
    const four = (count: number): number[] => Array.from({ length: count }, () => 4);
    const filler: AiringSource[] = [slate(4, 0), slate(4, 1), slate(4, 2)];
    await fixture.play(channelId, startsAtMs - 12_000, [
      ...filler.map((source) => ({ source, seconds: [4] })),
      { source: content(3), seconds: four(4) },
      { source: await storeCut(ctx, ['240p', '480p']), seconds: [2.5] },
      { source: slate(4, 13), seconds: [4, 4] },
      { source: slate(0.5, 0), seconds: [0.5] },
      { source: slate(2, 0), seconds: [2] },
      { source: await storeLive(ctx, owner.userId, { startsAtMs, count: 3 }), seconds: [2, 2, 2] },
      { source: content(8), seconds: four(150) },
    ]);
    processes = [await fixture.process(), await fixture.process()];
    ctx.clock.advance(startsAtMs + delayMs - nowMs);
    path = await pathOf(channelId);
  });

  after(async () => {
    for (const api of processes ?? []) await api.close();
  });

  async function pathOf(id: string): Promise<string> {
    const body = { token: fixture.anybody };
    const { streamer } = bodyOf(200, await fixture.api.call('POST', `/api/public/cast/channel/${id}/play`, body));
    return new URL(streamer).pathname.replace('master.m3u8', '');
  }

  const read = async (api: TestApi, name: string) => {
    const response = await api.call('GET', path + name);
    expect(response.status, response.text).to.equal(200);
    return response;
  };
  const keyOf = (uri: string): string => uri.replace(/^\.\.\/\.\.\/\.\.\/[^/]+\//, '');
  const fetched = async (address: string) => {
    const { status, text } = await processes[0].call('GET', new URL(address, `http://host${path}`).pathname);
    return { status, text };
  };

  it('sends the same bytes from all processes and after a restart, and never changes the URL of a sequence number', async () => {
    const channel = await playedCastChannel(fixture.ctx, channelId);
    const byNumber = new Map<number, string>();
    const addresses = new Set<string>();
    let versions = 0;
    for (let second = 0; second < 60; second += 1) {
      for (const name of second % 10 === 0 ? ['video-240p.m3u8', 'video-1080p.m3u8'] : ['video-1080p.m3u8']) {
        const [one, other] = [await read(processes[0], name), await read(processes[1], name)];
        expect(other.text).to.equal(one.text);
        if (second % 10 === 5 && channel) {
          const restarted = await castPlaylist(
            processOf(fixture.ctx),
            channel,
            { kind: 'video', rendition: '1080p' },
            'joined',
          );
          expect(restarted?.text).to.equal(one.text);
        }
        const { segments, targetDurationSeconds } = parseMedia(one.text);
        expect(targetDurationSeconds).to.equal(4);
        if (name === 'video-240p.m3u8') continue;
        versions += segments.some(({ sequence }) => !byNumber.has(sequence)) ? 1 : 0;
        for (const { sequence, ...segment } of segments) {
          expect(JSON.stringify(segment)).to.equal(byNumber.get(sequence) ?? JSON.stringify(segment));
          byNumber.set(sequence, JSON.stringify(segment));
          addresses.add(segment.uri).add(segment.map);
        }
      }
      fixture.ctx.clock.advance(1000);
    }
    expect(versions).to.be.above(10);
    expect([...byNumber.keys()]).to.deep.equal(Array.from(byNumber, (_, index) => 100 + index));
    // The sessions of two ten-minute steps.
    expect(new Set([...addresses].map((address) => /\.(?:file|track)\.([^.]+)/.exec(address)?.[1])).size).to.equal(2);
    // Files that contain video and audio are sent as tracks: `castSegments.test.ts`.
    for (const address of [...addresses].filter((one) => one.includes('.file.'))) {
      const { status, text } = await fetched(address);
      expect(status).to.equal(200);
      // Each file's text is its key, or the end of its key.
      expect(keyOf(address).endsWith(text), `${keyOf(address)} is ${text}`).to.equal(true);
    }
  });

  it('lists contents, cuts, slates and live segments in the requested rendition or the next lower one', async () => {
    const { ctx } = fixture;
    const kinds = await ctx.db.rows<{ sequence: number; startsAt: number; kind: string }>(
      "SELECT sequence, starts_at, source->>'kind' AS kind FROM cast_airings WHERE channel_id = $channelId ORDER BY sequence",
      { channelId },
    );
    const kindOf = ({ sequence }: ReadSegment) => kinds.findLast((airing) => airing.sequence <= sequence)?.kind ?? '';
    const lastStartsAt = kinds.at(-1)?.startsAt ?? 0;
    const api = await fixture.process({ databaseTime: { now: () => lastStartsAt + (delayMs + 4000) * 1000 } });
    const expected: Record<string, Record<string, RegExp>> = {
      '240p': { CONTENT: /\/240p\/\d+\.m4s$/, CUT: /240p-0\.m4s$/, SLATE: /720p-\d+\.m4s$/, LIVE: /240p-.*\.m4s$/ },
      '480p': { CONTENT: /\/480p\/\d+\.m4s$/, CUT: /480p-0\.m4s$/, SLATE: /720p-\d+\.m4s$/, LIVE: /240p-.*\.m4s$/ },
      '1080p': { CONTENT: /\/480p\/\d+\.m4s$/, CUT: /480p-0\.m4s$/, SLATE: /720p-\d+\.m4s$/, LIVE: /720p-.*\.m4s$/ },
    };
    try {
      for (const [rendition, patterns] of Object.entries(expected)) {
        const { segments } = parseMedia((await api.call('GET', `${path}video-${rendition}.m3u8`)).text);
        expect(new Set(segments.map(kindOf))).to.deep.equal(new Set(['CONTENT', 'CUT', 'SLATE', 'LIVE']));
        for (const segment of segments) expect(segment.uri).to.match(patterns[kindOf(segment)] ?? /^$/);
        const slates = segments.filter((segment) => kindOf(segment) === 'SLATE').map(({ uri }) => keyOf(uri));
        expect(slates.map((key) => /720p-(\d+)/.exec(key)?.[1])).to.deep.equal(['13', '14', '17', '15']);
      }
    } finally {
      await api.close();
    }
  });

  it('sends the master playlist of the settings in both forms, and returns 404 for all other renditions', async () => {
    const { text, headers } = await read(processes[0], 'master.m3u8');
    expect(headers.get('cache-control')).to.equal('private, max-age=60');
    const variants = parseMaster(text).map(({ uri }) => uri);
    expect(variants).to.deep.equal([
      'video-480p.m3u8',
      'video-240p.m3u8',
      'video-360p.m3u8',
      'video-720p.m3u8',
      'video-1080p.m3u8',
    ]);
    for (const uri of variants) parseMedia((await read(processes[0], uri)).text);
    for (const name of ['video-144p.m3u8', 'video-2160p.m3u8', 'continuous/video-10p.m3u8'])
      expect((await processes[0].call('GET', path + name)).status, name).to.equal(404);
    expect((await read(processes[0], 'continuous/master.m3u8')).text).to.equal(text);
  });

  it('compresses if the client accepts it, sends only headers for HEAD, and counts bytes for the channel’s owner', async () => {
    const unwritten = new Map<string, number>();
    const api = await fixture.process({ parts: new ContextParts([[unwrittenBand, unwritten]]) });
    const { userCode } = fixture.owner;
    const get = (method: string, encoding: string) =>
      rawRequest(api, { method, path: `${path}video-480p.m3u8`, headers: ['accept-encoding', encoding] });
    try {
      const plain = await get('GET', 'identity');
      expect(plain.headers).to.include({
        'content-type': 'application/vnd.apple.mpegurl',
        'cache-control': 'private, max-age=1',
        vary: 'Accept-Encoding',
        'content-length': String(plain.text.length),
      });
      expect([...unwritten]).to.deep.equal([[userCode, plain.text.length]]);
      const compressed = await get('GET', 'gzip');
      expect(compressed.headers['content-encoding']).to.equal('gzip');
      const sent = plain.text.length + Number(compressed.headers['content-length']);
      expect(Number(compressed.headers['content-length'])).to.be.below(plain.text.length / 2);
      const head = await get('HEAD', 'identity');
      expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([
        ...[200, '', plain.headers['content-length']],
      ]);
      expect([...unwritten]).to.deep.equal([[userCode, sent]]);
      const segment = parseMedia(plain.text).segments.find(({ uri }) => uri.includes('.file.'))?.uri ?? '';
      const { pathname } = new URL(segment, `http://host${path}`);
      const { text } = await rawRequest(api, { method: 'GET', path: pathname });
      expect([...unwritten]).to.deep.equal([[userCode, sent + text.length]]);
    } finally {
      await api.close();
    }
  });

  it('sends the previous playlist while the files of new segments cannot be read', async () => {
    const { ctx } = fixture;
    let isUnreachable = false;
    const model: typeof ctx.db.model = (definition) => {
      if (isUnreachable) throw new Error('the database is away');
      return ctx.db.model(definition);
    };
    const ofProcess = processOf(ctx, { db: { ...ctx.db, rows: ctx.db.rows.bind(ctx.db), model } });
    const api = await startApi(ofProcess);
    try {
      const { text } = await read(api, 'video-480p.m3u8');
      isUnreachable = true;
      segmentFiles(ofProcess).clear();
      ctx.clock.advance(4000);
      expect((await read(api, 'video-480p.m3u8')).text).to.equal(text);
      bodyOf(500, await api.call('GET', `${path}video-240p.m3u8`));
      isUnreachable = false;
      // The read is retried after a second.
      await eventually(async () => expect((await read(api, 'video-480p.m3u8')).text).to.not.equal(text));
    } finally {
      await api.close();
    }
  });

  it('returns 503 while the playlist is empty', async () => {
    const nothing = { get: async () => ({ listed: [], tick: 0 }) } as never;
    const api = await fixture.process({ parts: new ContextParts([[channelTimelines, nothing]]) });
    try {
      bodyOf(503, await api.call('GET', `${path}video-480p.m3u8`));
    } finally {
      await api.close();
    }
  });

  it('returns 404 for a deleted channel, and while the publisher is disabled', async () => {
    const publisher = await createLoggedInUser(fixture.ctx);
    const [deleted, disabled] = [await fixture.channel(), await fixture.channel(publisher)];
    const slate = await storeSlate(fixture.ctx, deleted);
    const startsAtMs = fixture.ctx.clock.now().getTime() - minuteMs;
    for (const id of [deleted, disabled])
      await fixture.play(id, startsAtMs, [{ source: slate(4, 0), seconds: Array.from({ length: 40 }, () => 4) }]);
    const addresses = [await pathOf(deleted), await pathOf(disabled)];
    // Reads at every request whether a channel exists, instead of every five seconds.
    const caches = {
      ...castCaches(processOf(fixture.ctx)),
      channels: new RefreshedCache({ lifetimeMs: 0, maxEntries: 10 }),
    };
    const api = await fixture.process({ parts: new ContextParts([[castCaches, caches]]) });
    for (const address of addresses) bodyOf(200, await api.call('GET', `${address}video-480p.m3u8`));
    bodyOf(204, await fixture.api.call('DELETE', `/api/cast/channel/${deleted}`, { token: fixture.owner.token }));
    bodyOf(204, await fixture.api.call('POST', '/api/user/me/disable', { token: publisher.token, body: {} }));
    for (const address of addresses)
      for (const name of ['video-480p.m3u8', 'master.m3u8']) bodyOf(404, await api.call('GET', address + name));
    await api.close();
  });
});
