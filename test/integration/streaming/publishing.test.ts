import { expect } from 'chai';
import { encryptText } from '../../../shared/platform/security/encryption.js';
import { authenticatePublisher, authorizePublish } from '../../../shared/streaming/publishing.service.js';
import { User } from '../../../shared/user/user.model.js';
import { makeStream } from '../../support/liveStreams.js';
import { serviceFixture } from '../../support/service.js';
import { makeUser } from '../../support/users.js';
import { useUpStreaming } from '../../support/licenses.js';

describe('permission to publish', () => {
  const { ctx } = serviceFixture();

  async function makePublisher(columns: { livePassword?: string | null; state?: User['state'] } = {}) {
    const user = await makeUser(ctx);
    const { livePassword = 'sécret + 1', state = 'ACTIVE' } = columns;
    const stored = livePassword === null ? null : encryptText(ctx.config.encryptionKey, user.id, livePassword);
    await ctx.db.model(User).update({ livePassword: stored, state }, { where: { id: user.id } });
    return { userCode: user.userCode, stream: await makeStream(ctx, user.id) };
  }

  const reasonOf = async (request: Parameters<typeof authorizePublish>[1]): Promise<string | null> => {
    const verdict = await authorizePublish(ctx, request);
    return verdict.allowed ? null : verdict.reason;
  };

  it('is given to the owner with the live password, in any case of the user code', async () => {
    const { userCode, stream } = await makePublisher();
    const verdict = await authorizePublish(ctx, {
      streamPath: stream.path,
      userCode: userCode.toUpperCase(),
      livePassword: 'sécret + 1',
    });
    expect(verdict).to.deep.equal({
      allowed: true,
      stream: { id: stream.streamId, ownerId: stream.ownerId, path: stream.path },
    });
  });

  it('is given to an encoder that answers a challenge with the live password', async () => {
    const { userCode, stream } = await makePublisher();
    const with_ = (expected: string) => ({
      streamPath: stream.path,
      userCode,
      livePassword: (password: string) => password === expected,
    });
    expect(await reasonOf(with_('sécret + 1'))).to.equal(null);
    expect(await reasonOf(with_('other'))).to.equal('wrong live password');
    expect(await authenticatePublisher(ctx, with_('sécret + 1'))).to.include({ allowed: true });
  });

  it('is denied to everybody else', async () => {
    const { userCode, stream } = await makePublisher();
    const other = await makePublisher();
    const disabled = await makePublisher({ state: 'DISABLED' });
    const without = await makePublisher({ livePassword: null });
    const right = { userCode, livePassword: 'sécret + 1', streamPath: stream.path };
    const refused: readonly (readonly [Partial<typeof right>, string])[] = [
      [{ userCode: 'nobody.at.all' }, 'unknown user'],
      [{ userCode: '' }, 'unknown user'],
      [{ userCode: disabled.userCode, streamPath: disabled.stream.path }, 'user disabled or not activated'],
      [{ userCode: without.userCode, streamPath: without.stream.path }, 'user has no live password'],
      [{ userCode: without.userCode, streamPath: without.stream.path, livePassword: '' }, 'user has no live password'],
      [{ livePassword: '' }, 'wrong live password'],
      [{ livePassword: 'sécret 1' }, 'wrong live password'],
      [{ livePassword: 'SÉCRET + 1' }, 'wrong live password'],
      [{ streamPath: 'no-such-path' }, 'unknown stream path'],
      [{ streamPath: stream.path.toUpperCase() }, 'unknown stream path'],
      [{ streamPath: other.stream.path }, 'stream of another user'],
    ];
    for (const [part, reason] of refused)
      expect(await reasonOf({ ...right, ...part }), JSON.stringify(part)).to.equal(reason);
  });

  it('is denied without streaming hours left', async () => {
    const { userCode, stream } = await makePublisher();
    const request = { userCode, livePassword: 'sécret + 1', streamPath: stream.path };
    await useUpStreaming(ctx, stream.ownerId);
    expect(await reasonOf(request)).to.equal('streaming hours used up');
  });
});
