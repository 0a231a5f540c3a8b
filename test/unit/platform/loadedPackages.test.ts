import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);

/** The names of the CommonJS packages that a process loads with these built files. */
async function packagesOf(...files: readonly string[]): Promise<string[]> {
  const addresses = files.map((file) => new URL(`../../../${file}`, import.meta.url).href);
  const script = `
    import { createRequire } from 'node:module';
    for (const address of ${JSON.stringify(addresses)}) await import(address);
    const names = Object.keys(createRequire(import.meta.url).cache).map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
    console.log(JSON.stringify([...new Set(names)]));
    process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as string[];
}

describe('a process at its start', function () {
  this.timeout(30_000);

  it('loads neither queue nor image packages for a clock', async () => {
    const packages = await packagesOf('shared/clockContext.js', 'shared/processLifecycle.js', 'workers/schedule.js');
    expect(packages).to.include('sequelize');
    for (const unused of ['bullmq', 'ioredis', 'sharp', 'express', 'prom-client'])
      expect(packages).to.not.include(unused);
  });

  it('loads the packages of queues, images, S3, mail, payments and a second search engine only if they are used', async () => {
    const packages = await packagesOf('shared/openContext.js', 'api/routes.js', 'workers/handlers.js');
    expect(packages).to.include('prom-client');
    for (const unused of [
      'bullmq',
      'ioredis',
      'sharp',
      '@aws-sdk/client-s3',
      'nodemailer',
      'stripe',
      '@paypal/paypal-server-sdk',
      'opossum',
      '@opentelemetry/sdk-trace-base',
    ])
      expect(packages).to.not.include(unused);
  });
});
