import { expect } from 'chai';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { liveCaches } from '../../../shared/streaming/liveTimeline.js';
import { startPartServer, type PartServer } from '../../../workers/live/lowLatency/partServer.js';
import { eventually } from '../eventually.js';
import type { ReadLowLatency, ReadPlaylist } from '../hlsPlaylist.js';
import { MediaPlaylistRules } from '../hlsReader.js';
import { openLiveFixture, type LiveFixture } from '../liveFixture.js';
import { openPartedRun, type PartedRun } from './partedRun.js';

/** A service with one live channel and the port of a live process, and a reader that checks all it reads. */
export interface PartsFixture extends LiveFixture {
  readonly server: PartServer;
  /** Of the channel, under a grant. */
  readonly path: string;
  openParted(): Promise<PartedRun>;
  /** A media playlist; `scope` is a path of `pathOf`. */
  read(query?: string, name?: string, scope?: string): Promise<ReadPlaylist>;
  lowLatency(query?: string, name?: string): Promise<ReadLowLatency>;
}

/** Fails where a response comes within a moment. */
export async function expectWaiting(response: Promise<unknown>): Promise<void> {
  const pause = new Promise((resolve) => setTimeout(resolve, 200, 'waits'));
  expect(await Promise.race([response.then(() => 'answered'), pause])).to.equal('waits');
}

export async function openPartsFixture(overrides: Record<string, string> = {}): Promise<PartsFixture> {
  const fixture = await openLiveFixture(overrides);
  Object.assign(liveCaches(fixture.ctx), { timelines: liveCaches({ parts: new ContextParts() }).timelines });
  const server = (await startPartServer(fixture.ctx)) ?? expect.fail('no server');
  const path = fixture.pathOf(fixture.channelId);
  const rules = new Map<string, MediaPlaylistRules>();
  const read: PartsFixture['read'] = async (query = '', name = '720p', scope = path) => {
    const response = await fixture.get(`${scope}${name}.m3u8${query}`);
    expect(response.status, response.text).to.equal(200);
    const key = `${scope}${name}${query.includes('dvr')}`;
    const known = rules.get(key) ?? new MediaPlaylistRules();
    rules.set(key, known);
    return known.check(response.text);
  };
  return {
    ...{ ...fixture, server, path, read },
    openParted: () => openPartedRun(fixture, server),
    // On a busy machine the first list may be sent before the state of the parts has arrived.
    lowLatency: (query, name) =>
      eventually(async () => (await read(query, name)).lowLatency ?? expect.fail('no parts')),
    async close() {
      await fixture.close();
      await server.close();
    },
  };
}
