import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { reportUsage, type SendBatch } from '../../../scripts/edgeUsage.js';

const line = (token: string, bytes: number, more = ''): string =>
  `${JSON.stringify({ uri: `/e/${token}/content/a/s0.m4s${more}`, status: 200, bytes, cache: 'HIT' })}\n`;

/** Counts each batch once, as the service does. */
class Service {
  readonly ids = new Set<string>();
  readonly bytes = new Map<string, number>();
  /** The number of batches that are counted although their response is lost. */
  lost = 0;

  readonly send: SendBatch = async ({ batchId, usage }) => {
    if (!this.ids.has(batchId))
      for (const { address, bytes } of usage) {
        const token = address.split('/')[2] ?? '';
        this.bytes.set(token, (this.bytes.get(token) ?? 0) + bytes);
      }
    this.ids.add(batchId);
    if (this.lost > 0) {
      this.lost -= 1;
      throw new Error('no response');
    }
  };
}

describe('The usage report of an edge server', () => {
  let folder: string;
  let log: string;
  let service: Service;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-edge-'));
    log = join(folder, 'edge.log');
    service = new Service();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('counts the bytes of each token, including later lines', async () => {
    await writeFile(log, line('a', 10) + line('b', 5, '?session=x') + line('a', 7));
    expect(await reportUsage(log, service.send)).to.deep.equal({ batches: 1, bytes: 22 });
    expect(await reportUsage(log, service.send)).to.deep.equal({ batches: 0, bytes: 0 });
    await appendFile(log, line('a', 3) + line('c', 1).slice(0, -1));
    await reportUsage(log, service.send);
    expect([...service.bytes], 'an incomplete line is not read').to.deep.equal([
      ['a', 20],
      ['b', 5],
    ]);
    await appendFile(log, '\n');
    await reportUsage(log, service.send);
    expect(service.bytes.get('c')).to.equal(1);
  });

  it('sends the same batch again after a lost response, without lines written meanwhile', async () => {
    await writeFile(log, line('a', 10));
    service.lost = 2;
    for (const bytes of [20, 30]) {
      await reportUsage(log, service.send).then(
        () => expect.fail('no response'),
        () => {},
      );
      await appendFile(log, line('a', bytes));
    }
    await reportUsage(log, service.send);
    expect([service.bytes.get('a'), service.ids.size]).to.deep.equal([60, 2]);
  });

  it('includes the previous file after a log rotation', async () => {
    await writeFile(log, line('a', 1));
    await reportUsage(log, service.send);
    await appendFile(log, line('a', 10));
    await rename(log, `${log}.1`);
    await writeFile(log, '');
    await reportUsage(log, service.send);
    await appendFile(`${log}.1`, line('a', 100));
    await appendFile(log, line('a', 1_000));
    await reportUsage(log, service.send);
    expect(service.bytes.get('a')).to.equal(1_111);
  });

  it('divides many tokens into batches and skips lines that are not JSON or not about a stream', async () => {
    const lines = Array.from({ length: 4_500 }, (_, index) => line(`t${index}`, 1));
    const noise = [
      'no json\n',
      '{"uri":"/e/\xff/x","bytes":"1"}\n',
      '{"uri":"/other","status":200,"bytes":5}\n',
      line('t', 9).replace('200', '403'),
      '[]\n',
      'null\n',
    ];
    await writeFile(log, [...noise, ...lines].join(''), 'latin1');
    expect(await reportUsage(log, service.send)).to.deep.equal({ batches: 3, bytes: 4_500 });
    expect(service.bytes.size).to.equal(4_500);
    const { offset } = JSON.parse(await readFile(`${log}.reported`, 'utf8')) as { offset: number };
    expect(offset).to.equal((await readFile(log)).length);
  });
});
