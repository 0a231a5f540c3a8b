import { expectServiceBehindPooler } from '../support/behindPooler.js';
import { describeWith, requirements } from '../support/requirements.js';

describeWith(
  requirements.pgbouncer,
  'the service behind PgBouncer, which gives each transaction another connection',
  function () {
    this.timeout(120_000);

    it('processes videos and answers searches', async () => {
      const processes = { web: 2, worker: 1, live: 1, clock: 1 };
      await expectServiceBehindPooler(processes, { connections: 8, pooled: 3, uploads: 2 });
    });
  },
);
