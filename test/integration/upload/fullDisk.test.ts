import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { startApi, registerUser, type TestApi, type TestUser } from '../../support/api.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { mountSmallDisk, type SmallDisk } from '../../support/smallDisk.js';
import { noTraces, tracesOf, upload } from '../../support/uploads.js';

const megabyte = 1024 ** 2;

describe('uploads to a full disk', () => {
  let disk: SmallDisk | undefined;
  let ctx: TestContext;
  let api: TestApi;
  let user: TestUser;

  before(async function () {
    disk = await mountSmallDisk(this, 2 * megabyte);
    ctx = await openTestContext({ DATA_DIR: disk.folder });
    api = await startApi(ctx);
    user = await registerUser(api);
  });
  after(async () => {
    if (!disk) return;
    await api.close();
    await ctx.close();
    await disk.remove();
  });

  it('are refused with 507 and leave nothing', async () => {
    const { status, headers, body } = await upload(
      api,
      user,
      { file: new Uint8Array(4 * megabyte) },
      { 'Accept-Language': 'it' },
    );
    expect([status, body.status, body.exception, body.message, headers.get('retry-after')]).to.deep.equal([
      507,
      507,
      'InsufficientStorageException',
      'Il servizio non ha più spazio per salvare questi dati. Riprova più tardi.',
      '300',
    ]);
    await eventually(async () => expect(await tracesOf(ctx, user)).to.deep.equal(noTraces));
    expect(await readdir(join(ctx.config.dataDir, 'files', '.unfinished'))).to.deep.equal([]);
  });

  it('are accepted again when there is space', async () => {
    const ballast = await open(join(ctx.config.dataDir, 'ballast'), 'w');
    await ballast.write(Buffer.alloc(2 * megabyte)).catch(() => {});
    expect((await stat(join(ctx.config.dataDir, 'ballast'))).size).to.be.above(megabyte);
    expect((await upload(api, user)).status).to.equal(507);
    await ballast.truncate(0);
    await ballast.close();
    expect((await upload(api, user)).status).to.equal(201);
  });
});
