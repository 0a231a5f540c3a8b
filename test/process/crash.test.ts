import { expect } from 'chai';
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseContentUrn } from '../../shared/platform/format.js';
import { registerUser, type TestUser } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { openHouse, untilProgress, untilSettled, uploadClip, type TestHouse } from '../support/house.js';
import { makeFilm } from '../support/media.js';
import type { BuiltProcess } from '../support/processes.js';

/** A crashed process is noticed when its lease and its lock run out; then the work is done again. */
const recoveryMs = 150_000;

describe('after a crash', function () {
  this.timeout(recoveryMs + 60_000);
  let house: TestHouse;
  let user: TestUser;
  let clip: Blob;

  before(async () => {
    clip = await openAsBlob(await makeFilm({ seconds: 18, size: '640x360' }));
  });
  beforeEach(async () => {
    house = await openHouse({ CHUNK_SECONDS: '4', MEDIA_THREADS: '1', ENCODER_PRESET: 'fast' });
  });
  afterEach(() => house?.close());

  async function uploaded(): Promise<{ boxId: string; uuid: string }> {
    user = await registerUser(house.api);
    await house.api.call('POST', '/api/user/me', { token: user.token, body: await wantsMail() });
    const { boxId, contentId } = await uploadClip(house.api, user.token, clip, 'Survivor');
    return { boxId, uuid: parseContentUrn(house.ctx.config.service.urnNamespace, contentId) as string };
  }

  async function wantsMail(): Promise<object> {
    const { body } = await house.api.call('GET', '/api/user/me', { token: user.token });
    return { ...body, features: { ...body.features, transcoderNotifyEnabled: true } };
  }

  /** READY, told of once, and no file that nothing refers to. */
  async function expectReadyOnce(boxId: string, uuid: string): Promise<void> {
    const status = await untilSettled(house.api, user.token, boxId, recoveryMs);
    const [content] = await house.ctx.db.rows<{ failureDetail: string | null }>('SELECT failure_detail AS "failureDetail" FROM contents WHERE id = $uuid', { uuid });
    expect(status, content?.failureDetail ?? undefined).to.equal('READY');
    await eventually(async () => expect(await mails()).to.have.length(1), { timeoutMs: 30_000 });
    await eventually(async () => expect(await unreferencedFiles(uuid)).to.deep.equal([]), { timeoutMs: 60_000 });
  }

  async function mails(): Promise<string[]> {
    return readdir(join(house.ctx.config.dataDir, 'mail')).catch(() => []);
  }

  /** Stored files of a content that its playlists do not lead to. */
  async function unreferencedFiles(uuid: string): Promise<string[]> {
    const stored: string[] = [];
    for await (const file of house.ctx.storage.list(`content/${uuid}/`)) stored.push(file.key);
    const reached = new Set<string>();
    const folder = `content/${uuid}/g1/`;
    for (const playlist of ['master.m3u8', 'preview/master.m3u8']) await follow(`${folder}${playlist}`, reached);
    return stored.filter((key) => !reached.has(key)).toSorted();
  }

  async function follow(key: string, reached: Set<string>): Promise<void> {
    if (reached.has(key)) return;
    reached.add(key);
    if (!key.endsWith('.m3u8')) return;
    let text = '';
    for await (const part of await house.ctx.storage.read(key)) text += String(part);
    const links = [...text.matchAll(/^[^#\s].*$|URI="([^"]+)"/gm)].map((match) => match[1] ?? match[0]);
    for (const link of links) await follow(new URL(link, `http://store/${key}`).pathname.slice(1), reached);
  }

  async function doneChunks(uuid: string): Promise<{ position: number; attempt: number; folder: string }[]> {
    return house.ctx.db.rows(`SELECT position, attempt, folder FROM chunks WHERE content_id = $uuid AND state = 'DONE' ORDER BY position`, { uuid });
  }

  it('a killed media worker loses the chunk it was at, and no other', async () => {
    await house.start('web');
    const worker = await house.start('worker');
    const { boxId, uuid } = await uploaded();
    await untilProgress(house.ctx, uuid, 40);
    await worker.end('SIGKILL');
    const before = await doneChunks(uuid);
    expect(before, 'chunks done before the kill').to.not.be.empty;
    await house.start('worker');
    await expectReadyOnce(boxId, uuid);
    const after = await doneChunks(uuid);
    expect(after).to.have.length(5);
    expect(after.filter(({ position }) => before.some((one) => one.position === position))).to.deep.equal(before);
  });

  it('kills at one moment after another still end in READY, once', async () => {
    await house.start('web');
    let worker: BuiltProcess = await house.start('worker');
    const { boxId, uuid } = await uploaded();
    for (const percent of [0, 5, 60]) {
      await untilProgress(house.ctx, uuid, percent, recoveryMs);
      await worker.end('SIGKILL');
      worker = await house.start('worker');
    }
    await expectReadyOnce(boxId, uuid);
  });

  it('an upload that was accepted is worked on though the web process is killed at once', async () => {
    const web = await house.start('web');
    const { boxId, uuid } = await uploaded();
    await web.end('SIGKILL');
    await house.start('worker');
    await house.start('web');
    await expectReadyOnce(boxId, uuid);
  });

  it('SIGTERM puts the chunk back within 10 seconds, without spending an attempt', async () => {
    await house.start('web');
    const worker = await house.start('worker');
    const { boxId, uuid } = await uploaded();
    await untilProgress(house.ctx, uuid, 30);
    const start = performance.now();
    expect(await worker.end('SIGTERM')).to.equal(0);
    expect(performance.now() - start).to.be.below(10_000);
    const leased = await house.ctx.db.rows('SELECT position FROM chunks WHERE lease_owner IS NOT NULL AND state = $state', { state: 'RUNNING' });
    expect(leased, 'leases of a worker that is gone').to.deep.equal([]);
    await house.start('worker');
    await expectReadyOnce(boxId, uuid);
  });

  it('everything killed at once comes back', async () => {
    const all = [await house.start('web'), await house.start('worker'), await house.start('clock')];
    const { boxId, uuid } = await uploaded();
    await untilProgress(house.ctx, uuid, 20);
    await Promise.all(all.map((one) => one.end('SIGKILL')));
    await Promise.all([house.start('web'), house.start('worker'), house.start('clock')]);
    await expectReadyOnce(boxId, uuid);
  });
});
