import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { ArrivingUpload } from '../../shared/box/arrivingUpload.model.js';
import { BoxItem } from '../../shared/box/box.model.js';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { registerUser } from '../support/api.js';
import { recoveryMs } from '../support/crashUpload.js';
import { openDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { given } from '../support/given.js';
import { listedFiles, longFilm } from '../support/media.js';
import { storedRows } from '../support/rows.js';
import { openTus } from '../support/tus.js';
import { sha256, storedHash } from '../support/uploadKills.js';

describe('a film that arrives while its processes are killed', function () {
  this.timeout(2 * recoveryMs);
  const deployment = given(() =>
    openDeployment({
      QUICK_GENERATION: 'true',
      WORKER_LOCK_SECONDS: '3',
      WORKER_QUEUES: 'ingestion,transcoding-status,sweeps',
    }),
  );

  it('is READY once, whole, from the last attempt', async () => {
    const { ctx, api } = deployment;
    let web = await deployment.start('web');
    let worker = await deployment.start('worker');
    const user = await registerUser(api);
    const file = await readFile(await longFilm());
    const upload = await openTus(api, user, file.length);
    const contentOf = async (): Promise<Content> => {
      const [row] = await storedRows(ctx, ArrivingUpload, { userId: user.userId });
      return ctx.db.model(Content).findByPk(row?.contentId ?? '', { rejectOnEmpty: true });
    };
    const untilGrowing = (attempt: number): Promise<void> =>
      eventually(
        async () => {
          const content = await contentOf();
          expect(content.growing).to.equal(true);
          expect(content.attempt).to.be.at.least(attempt);
        },
        { timeoutMs: recoveryMs / 2 },
      );

    const third = Math.round(file.length / 3);
    await upload.patch(0, file.subarray(0, third));
    await untilGrowing(1);
    await worker.end('SIGKILL');
    worker = await deployment.start('worker');
    await upload.patch(third, file.subarray(third, 2 * third));
    await untilGrowing(2);

    await web.end('SIGKILL');
    web = await deployment.start('web');
    const { offset } = await upload.head();
    expect(offset).to.equal(2 * third);
    expect(await storedRows(ctx, BoxItem)).to.deep.equal([]);
    const last = await upload.patch(offset, file.subarray(offset));
    const boxId = last.headers.get('Box-Id') ?? '';
    const ready = await eventually(
      async () => {
        const content = await contentOf();
        expect(content).to.include({ state: 'READY', arrival: null, readyGeneration: 1 });
        return content;
      },
      { timeoutMs: recoveryMs },
    );
    expect(await storedHash(ctx, boxId)).to.equal(sha256(file));
    const list = `360p-a${ready.readyAttempt}.m3u8`;
    expect((await listedFiles(ctx, generationFolder(ready, 1), list)).segments.length).to.be.at.least(14);
    expect(await storedRows(ctx, Content)).to.have.lengthOf(1);
    await worker.end('SIGTERM');
  });
});
