import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { InsufficientStorageError } from '../../../shared/platform/errors.js';
import { openFfmpegRunner, MediaError } from '../../../workers/media/index.js';
import { MachineError } from '../../../workers/media/runner.js';
import { processFolder, withTemporaryFolder } from '../../../workers/runtime/temporaryFolders.js';
import { registerUser } from '../../support/api.js';
import { eventually, rejection } from '../../support/eventually.js';
import { useFixture, serviceFixture } from '../../support/fixtures.js';
import { makeVideo, settledContent, uploadClip } from '../../support/media.js';
import { mountSmallDisk } from '../../support/smallDisk.js';
import { noTraces, tracesOf, upload } from '../../support/uploads.js';
import { startWorkers } from '../../support/workers.js';
import { describeWith, requirements } from '../../support/requirements.js';

const megabyte = 1024 ** 2;
const patience = { timeoutMs: 80_000 };

describeWith(requirements.mount, 'a full disk', function () {
  this.timeout(180_000);
  const disk = useFixture(
    () => mountSmallDisk(8 * megabyte),
    (mounted) => mounted.remove(),
  );
  const { ctx, api } = serviceFixture(() => ({ DATA_DIR: disk.folder }));
  const user = useFixture(() => registerUser(api));

  it('rejects an upload with 507 and removes its bytes', async () => {
    const sent = { file: new Uint8Array(9 * megabyte) };
    const { status, headers, body } = await upload(api, user, sent, { 'Accept-Language': 'it' });
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

  it('accepts an upload as soon as there is space', async () => {
    await disk.fill();
    expect((await upload(api, user)).status).to.equal(507);
    await disk.empty();
    expect((await upload(api, user)).status).to.equal(201);
  });

  it('never counts as a media error, whatever ffmpeg reports', async () => {
    const { ffmpegPath, ffprobePath } = ctx.config.media;
    const encode = (folder: string, path: string) =>
      openFfmpegRunner({ ffmpegPath, ffprobePath }).convert(
        {
          folder,
          inputs: [{ path: 'testsrc2=s=640x360:d=4', options: ['-f', 'lavfi'] }],
          outputs: [{ path, options: ['-c:v', 'rawvideo'] }],
        },
        { signal: AbortSignal.timeout(20_000), stallSeconds: 10 },
      );
    const failed = await rejection(withTemporaryFolder(ctx.config, (folder) => encode(folder, 'large.avi')));
    expect(failed).to.be.instanceOf(InsufficientStorageError).and.have.property('cause').instanceOf(MachineError);
    expect(failed.message).to.contain(processFolder(ctx.config));
    const unknown = await rejection(withTemporaryFolder(ctx.config, (folder) => encode(folder, 'unknown.format')));
    expect(unknown).to.be.instanceOf(MediaError);
  });

  it('puts a content’s jobs back without counting an attempt', async () => {
    const contentId = await uploadClip(ctx, user.userId, await makeVideo());
    await disk.fill(48 * 1024);
    const workers = await startWorkers(ctx);
    try {
      await eventually(async () => {
        const work = await ctx.db.rows<{ attempt: number; returns: number }>(
          `SELECT attempt, returns FROM contents WHERE id = $contentId
           UNION ALL SELECT attempt, returns FROM chunks WHERE content_id = $contentId`,
          { contentId },
        );
        expect(
          work.some(({ returns }) => returns > 0),
          JSON.stringify(work),
        ).to.equal(true);
      }, patience);
      await disk.empty();
      const content = await eventually(() => settledContent(ctx, contentId), patience);
      expect(content.state).to.equal('READY');
      const text = await ctx.metrics.registry.getSingleMetricAsString('jobs_total');
      expect(text).to.match(/result="returned"[^}]*\} [1-9]/);
      expect(text).to.not.match(/result="(retried|failed)"[^}]*\} [1-9]/);
    } finally {
      await workers.close();
    }
  });
});
