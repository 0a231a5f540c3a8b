import { expect } from 'chai';
import { Content } from '../../../shared/content/content.model.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { removeContentHandler } from '../../../workers/transcoding-status/removeContent.js';
import { storedKeys, upload } from '../../support/uploads.js';
import { boxFixture, type BoxFixture } from './openBox.js';

describe('an upload with the id of a deleted content', () => {
  const { ctx, api, user, other, call } = boxFixture();

  const send = (as: BoxFixture['user'], identifier: string, language = 'en') =>
    upload(api, as, { fields: [['contentIdentifier', identifier]] }, { 'accept-language': language });

  /** Runs `content.remove` as a worker does. */
  async function removed(contentId: string): Promise<void> {
    const run = {
      ctx: createWorkerContext(ctx),
      log: ctx.log,
      payload: { contentId },
      signal: new AbortController().signal,
      attempt: 1,
      isLastAttempt: true,
      reportProgress: () => {},
    };
    expect(await removeContentHandler(run)).to.deep.equal({ removed: true });
  }

  it('returns 409 for its former owner and for any other user', async () => {
    for (const identifier of [crypto.randomUUID(), `a name ${crypto.randomUUID()}`]) {
      const { body } = await send(user, identifier);
      const id = body.resourceId as string;
      expect((await call('DELETE', `/api/box/${body.boxId}`)).status).to.equal(204);
      expect((await send(user, id)).status, 'before its files are removed').to.equal(409);
      await removed(id);
      expect(await ctx.db.model(Content).findByPk(id)).to.equal(null);
      const before = await storedKeys(ctx);
      const refused = await send(user, identifier);
      expect(refused.status).to.equal(409);
      expect(refused.body.exception).to.contain('DataIntegrityViolationException');
      expect(refused.body.message).to.equal(
        'A content with this identifier existed before. Choose another identifier.',
      );
      for (const again of [id, `urn:video:content:${id.toUpperCase()}`])
        expect((await send(other, again, 'it')).body).to.include({
          status: 409,
          message: 'In passato è già esistito un contenuto con questo identificativo. Scegline un altro.',
        });
      expect(await storedKeys(ctx), 'files of rejected uploads').to.deep.equal(before);
    }
  });

  it('returns 409 while the deleted content is being removed', async () => {
    const identifier = crypto.randomUUID();
    const { body } = await send(user, identifier);
    await call('DELETE', `/api/box/${body.boxId}`);
    const [, ...uploads] = await Promise.all([
      removed(identifier),
      ...Array.from({ length: 5 }, () => send(other, identifier)),
    ]);
    expect(uploads.map(({ status }) => status)).to.deep.equal(Array(5).fill(409));
  });
});
