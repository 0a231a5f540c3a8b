import { expectServiceBehindPooler } from '../support/behindPooler.js';
import { describeWith, requirements } from '../support/requirements.js';

describeWith(requirements.pgbouncer, '40 processes behind PgBouncer', function () {
  this.timeout(900_000);

  it('share 60 connections', async () => {
    const processes = { web: 24, worker: 10, live: 5, clock: 1 };
    // As many uploads as one user may send at the same time, through all web processes together.
    await expectServiceBehindPooler(processes, { connections: 60, pooled: 10, uploads: 20 });
  });
});
