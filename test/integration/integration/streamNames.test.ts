import { expect } from 'chai';
import { LiveStream, type StreamKind } from '../../../shared/streaming/streaming.model.js';
import { registerUser } from '../../support/api.js';
import { serviceFixture } from '../../support/service.js';
import { integrationHeaders, makeStream } from '../../support/streams.js';
import { disableUser } from '../../support/users.js';
import { fixtureEach } from '../../support/fixtures.js';
import { changeRow } from '../../support/rows.js';

const operations = ['live/channel', 'live/event', 'cast/channel', 'cast/entity'] as const;

/** The body that each operation returns for a stream of each kind; null: 404. */
type Expected = Readonly<Record<(typeof operations)[number], object | null>>;

describe('stream names of the integration', () => {
  const { api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const ask = (operation: string, name: string) =>
    api.call('GET', `/rest/integration/${operation}/${name}`, { headers: integrationHeaders(api) });

  const expectedOf: Readonly<Record<StreamKind, (id: string) => Expected>> = {
    LIVE_CHANNEL: () => ({
      'live/channel': { creatorCode: user.userCode },
      'live/event': { recorded: false },
      'cast/channel': null,
      'cast/entity': null,
    }),
    CAST_CHANNEL: (id) => ({
      'live/channel': null,
      'live/event': null,
      'cast/channel': { channelCode: id, creatorCode: user.userCode },
      'cast/entity': { entityType: 'CHANNEL', creatorCode: user.userCode },
    }),
    CAST_STREAM: () => ({
      'live/channel': null,
      'live/event': null,
      'cast/channel': null,
      'cast/entity': { entityType: 'STREAM', creatorCode: user.userCode },
    }),
  };

  for (const kind of Object.keys(expectedOf) as StreamKind[]) {
    it(`return 200 for kind ${kind} in its operations and 404 in others, and 404 after the owner is disabled`, async () => {
      const { id, path } = await makeStream(api.ctx, user.userId, { kind });
      const expected = expectedOf[kind](id);
      for (const operation of operations) {
        const { status, body } = await ask(operation, path);
        if (expected[operation]) expect([status, body], operation).to.deep.equal([200, expected[operation]]);
        else expect(status, operation).to.equal(404);
      }
      await disableUser(api.ctx, user.userId);
      for (const operation of operations) expect((await ask(operation, path)).status, operation).to.equal(404);
    });
  }

  it('return 404 if unknown, deleted, malformed or in another case', async () => {
    const { id, path } = await makeStream(api.ctx, user.userId);
    const names = ['unknown', path.toUpperCase(), `${path}%00`, '%2E%2E%2Fx', '%F0%9F%98%80', "'--", 'x'.repeat(2000)];
    for (const operation of operations) {
      for (const name of names) expect((await ask(operation, name)).status, `${operation} ${name}`).to.equal(404);
    }
    await changeRow(api.ctx, LiveStream, id, { path: null });
    expect((await ask('live/channel', path)).status).to.equal(404);
    expect((await ask('live/channel', 'null')).status).to.equal(404);
  });
});
