import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTrace } from '../../tools/demo/commerce/trace.js';
import { walk } from '../../tools/demo/commerce/walk.js';
import { createTerminal } from '../../scripts/embedded/terminal.js';
import { BoxItem } from '../../shared/box/box.model.js';
import { auditPayments } from '../../shared/payment/paymentAudit.js';
import { registerUser } from '../support/api.js';
import { openDeployment, uploadClip, untilSettled, type TestDeployment } from '../support/deployment.js';
import { runDocumented, startSystemPostgres, type SystemPostgres } from '../support/documentedBackup.js';
import { drainSearch, storedRows } from '../support/rows.js';
import { eventually } from '../support/eventually.js';
import { makeVideo } from '../support/media.js';
import type { TestUser } from '../support/users.js';
import { describeWith, requirements } from '../support/requirements.js';

/** The number of concurrent uploads during the backup. */
const senders = 3;

/** While other long tests run, a video of six seconds may wait for minutes. */
const settledMs = 600_000;

describeWith(
  requirements.backupTools,
  'a backup that is taken while videos are uploaded and sold, and restored after a total loss',
  function () {
    this.timeout(1_800_000);
    let server: SystemPostgres | undefined;
    let deployment: TestDeployment | undefined;
    let folder: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'video-platform-drill-'));
      server = await startSystemPostgres();
    });
    afterEach(() => deployment?.close());
    after(async () => {
      server?.close();
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    it('plays every READY item, adds up to the cent, and finds all rows of the tables', async () => {
      deployment = await openDeployment({ DEMO_CLIP_SECONDS: '2' }, server!.url);
      const { ctx, api } = deployment;
      const start = (kind: 'web' | 'worker') => deployment!.start(kind);
      const processes = [await start('web'), await start('worker'), await start('worker')];
      const owner = await registerUser(api);
      const load = beginLoad(deployment, owner);
      // Some uploads are processed, some are in processing, and some are being received.
      const untilReady = async (count: number): Promise<unknown> =>
        eventually(async () => expect((await readyItems(deployment!)).length).to.be.above(count), {
          timeoutMs: settledMs,
        });
      await untilReady(senders);
      const backup = { ctx, server: server!, folder };
      // Work in progress in the rows of the backup is complete in its files.
      await runDocumented('pg_dump', backup, () => untilReady(3 * senders));
      const kept = await load.end();
      expect(kept).to.be.above(senders);
      await Promise.all(processes.map((one) => one.end('SIGKILL')));

      for (const schema of ['public', 'bullmq']) await ctx.db.change(`DROP SCHEMA ${schema} CASCADE`);
      await ctx.db.change('CREATE SCHEMA public');
      await rm(join(ctx.config.dataDir, 'files'), { recursive: true });
      await runDocumented('pg_restore', backup);

      await Promise.all([start('web'), start('worker'), start('worker')]);
      const items = await storedRows(ctx, BoxItem);
      expect(items.length).to.be.above(senders);
      for (const { id, ownerId } of items.filter((item) => item.ownerId === owner.userId))
        expect(await untilSettled(api, owner.token, id, settledMs), `${id} of ${ownerId}`).to.equal('READY');
      const ready = await readyItems(deployment);
      for (const boxId of ready) await readAll(deployment, owner, boxId);
      await ctx.db.change('DELETE FROM sweep_positions');
      expect(await auditPayments(ctx)).to.deep.equal([]);
      await drainSearch(ctx);
      for (const { index, ...drift } of await ctx.search.maintenance.sweepDrift())
        expect(drift, index).to.include({ missing: 0, dangling: 0, outdated: 0 });
    });
  },
);

/** Each sender uploads one video after the other and sells all sellable items. `end` resolves with the number of uploads. */
function beginLoad({ ctx, api }: TestDeployment, { token }: TestUser): { end(): Promise<number> } {
  const stop = new AbortController();
  let uploads = 0;
  const send = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const file = await openAsBlob(await makeVideo({ seconds: 6 }));
      const { boxId } = await uploadClip(api, token, file, `Drill ${(uploads += 1)}`);
      await untilSettled(api, token, boxId, settledMs);
    }
  };
  const terminal = createTerminal(process.stdout, 'drill');
  const sold = walk({ ctx, trace: createTrace(() => {}), terminal, signal: stop.signal });
  const sending = Promise.all([...Array.from({ length: senders }, send), sold]);
  sending.catch(() => {});
  return {
    async end() {
      await sold;
      stop.abort();
      await sending;
      return uploads;
    },
  };
}

/** The ids of the uploading user's items whose content is processed. */
async function readyItems({ ctx }: TestDeployment): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    `SELECT box_items.id FROM box_items JOIN contents ON contents.id = box_items.content_id
      WHERE contents.state = 'READY' AND box_items.title LIKE 'Drill %'`,
  );
  return rows.map(({ id }) => id);
}

/** Plays an item as its owner and reads every segment of every rendition. */
async function readAll({ api }: TestDeployment, { token }: TestUser, boxId: string): Promise<void> {
  const { status, body } = await api.call('POST', `/api/box/${boxId}/play`, { token, body: {} });
  expect(status, boxId).to.equal(200);
  expect(await readPlaylist(new URL(body.streamer)), boxId).to.be.above(4);
}

/** Reads all files of a playlist and of the playlists in it; resolves with the number of media files. */
async function readPlaylist(url: URL): Promise<number> {
  const text = await (await fetch(url)).text();
  const named = [...text.matchAll(/^[^#\n].*$|URI="([^"]+)"/gm)].map(([line, uri]) => new URL(uri ?? line, url));
  let files = 0;
  for (const one of new Map(named.map((address) => [address.href, address])).values()) {
    if (one.pathname.endsWith('.m3u8')) files += await readPlaylist(one);
    else {
      const response = await fetch(one);
      expect(response.status, one.href).to.equal(200);
      expect((await response.arrayBuffer()).byteLength, one.href).to.be.above(0);
      files += 1;
    }
  }
  return files;
}
