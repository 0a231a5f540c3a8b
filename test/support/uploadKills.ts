import { createHash, randomBytes, randomInt } from 'node:crypto';
import { expect } from 'chai';
import { BoxItem } from '../../shared/box/box.model.js';
import { Content } from '../../shared/content/content.model.js';
import { ArrivingUpload } from '../../shared/upload/upload.model.js';
import type { Context } from '../../shared/platform/context.js';
import { apiAt, registerUser } from './api.js';
import { openDeployment } from './deployment.js';
import { eventually } from './eventually.js';
import { useFixture } from './fixtures.js';
import { freePort, type BuiltProcess } from './processes.js';
import { storedRows } from './rows.js';
import { testStores } from './stores.js';
import { openTus, tusAt, type TusUpload } from './tus.js';

const megabyte = 1024 ** 2;

/** The SHA-256 of the source of a box item. */
export async function storedHash(ctx: Context, boxId: string): Promise<string> {
  const item = await ctx.db.model(BoxItem).findByPk(boxId, { rejectOnEmpty: true });
  const content = await ctx.db.model(Content).findByPk(item.contentId, { rejectOnEmpty: true });
  const hash = createHash('sha256');
  for await (const chunk of await ctx.storage.read(content.sourceKey)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Tests, for each kind of store: two web processes, of which the one that receives an upload is killed at a random offset, so often; the
 * other one continues.
 */
export function describeUploadKills(kills: number): void {
  for (const kind of ['disk', 'S3'] as const) {
    describe(`an upload whose web process is killed ${kills} times, on ${kind}`, function () {
      this.timeout(60_000 + kills * 20_000);
      const store = useFixture(() => testStores[kind]());
      const deployment = useFixture(() => openDeployment(store.env));

      it('is continued by another process, and has every byte once', async () => {
        const { ctx } = deployment;
        const ports = [Number(new URL(deployment.api.url).port), await freePort()];
        const start = (port = 0): Promise<BuiltProcess> => deployment.start('web', { PORT: String(port) });
        const processes = await Promise.all(ports.map((port) => start(port)));
        const apis = ports.map((port) => apiAt(ctx, `http://127.0.0.1:${port}`));
        const user = await registerUser(deployment.api);
        const file = randomBytes((kills + 1) * 21 * megabyte + 4_321);
        const { url } = await openTus(deployment.api, user, file.length);
        const at = (index: number): TusUpload => tusAt(apis[index % 2] ?? deployment.api, user, url);
        for (let kill = 0; kill < kills; kill += 1) {
          const { offset } = await at(kill).head();
          const sent = file.subarray(offset, offset + randomInt(17 * megabyte, 20 * megabyte));
          await cutByKill(at(kill), sent, offset, async () => {
            // Something of this round counts, and something is on its way.
            await eventually(async () => {
              const [row] = await storedRows(ctx, ArrivingUpload);
              expect(row?.receivedBytes).to.be.within(offset + 1, offset + sent.length);
            });
            await processes[kill % 2]?.end('SIGKILL');
          });
          processes[kill % 2] = await start(ports[kill % 2]);
        }
        const { offset } = await at(kills).head();
        const last = await at(kills).patch(offset, file.subarray(offset));
        expect(last.status, await last.text()).to.equal(204);
        const boxId = last.headers.get('Box-Id') ?? '';
        expect((await at(kills + 1).head()).boxId).to.equal(boxId);
        expect(await storedHash(ctx, boxId)).to.equal(sha256(file));
        expect(await storedRows(ctx, Content)).to.have.lengthOf(1);
        const keys: string[] = [];
        for await (const stored of ctx.storage.list('sources')) keys.push(stored.key);
        expect(keys).to.have.lengthOf(1);
      });
    });
  }
}

/** Sends these bytes and no end, and kills the process meanwhile. */
async function cutByKill(
  upload: TusUpload,
  bytes: Uint8Array,
  offset: number,
  kill: () => Promise<void>,
): Promise<void> {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === bytes.length) return new Promise(() => {});
      const next = bytes.subarray(sent, sent + 64 * 1024);
      sent += next.length;
      controller.enqueue(next);
      return undefined;
    },
  });
  const patch = upload.patch(offset, body).then(
    ({ status }) => status,
    () => null,
  );
  await kill();
  expect(await patch).to.equal(null);
}
