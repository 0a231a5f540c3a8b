import { expectServiceBehindPooler } from '../support/behindPooler.js';
import { hasPgbouncer } from '../support/pgbouncer.js';

describe('the service behind PgBouncer, which gives each transaction another connection', function () {
  this.timeout(120_000);

  before(function () {
    if (!hasPgbouncer()) this.skip();
  });

  it('processes videos and answers searches', async () => {
    const processes = { web: 2, worker: 1, live: 1, clock: 1 };
    await expectServiceBehindPooler(processes, { connections: 8, pooled: 3, uploads: 2 });
  });
});
