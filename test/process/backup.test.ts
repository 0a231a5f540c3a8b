import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BoxItem } from '../../shared/box/box.model.js';
import { registerUser, startApi } from '../support/api.js';
import { seedBoxItem, seedStream, removeRows } from '../support/rows.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { runDocumented, startSystemPostgres, type SystemPostgres } from '../support/documentedBackup.js';
import { storedKeys } from '../support/media.js';
import { describeWith, requirements } from '../support/requirements.js';

/** The commands of `docs/operate.md` on the system's PostgreSQL, with a role that is not a superuser. */
describeWith(requirements.backupTools, 'backup and restore', function () {
  this.timeout(60_000);
  let server: SystemPostgres | undefined;
  let ctx: TestContext;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-backup-'));
    server = await startSystemPostgres();
    ctx = await openTestContext({}, { databaseServer: server.url });
  });

  after(async () => {
    await ctx?.close();
    server?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('recover every row and every file, and nothing written later', async () => {
    const api = await startApi(ctx);
    try {
      const owner = await registerUser(api);
      const { folder: content, boxId } = await seedBoxItem(ctx, owner.userId);
      const files = await seedStream(ctx, content);
      const keys = await storedKeys(ctx);
      expect(keys).to.have.length.at.least(files.size);
      await runDocumented('pg_dump', { ctx, server: server!, folder });

      const later = await seedBoxItem(ctx, (await registerUser(api)).userId);
      await seedStream(ctx, later.folder);
      await ctx.storage.removeAll(content);
      await removeRows(ctx, BoxItem, { ownerId: owner.userId });
      await runDocumented('pg_restore', { ctx, server: server!, folder });

      const items = await ctx.db.rows('SELECT owner_id FROM box_items');
      expect(items).to.deep.equal([{ ownerId: owner.userId }]);
      expect(await storedKeys(ctx)).to.have.members(keys);
      expect((await api.call('GET', `/api/box/${boxId}`, { token: owner.token })).status).to.equal(200);
    } finally {
      await api.close();
    }
  });
});
