import { expect } from 'chai';
import { readableLine } from '../../../scripts/embedded/logLine.js';

const line = (entry: object): string =>
  readableLine(
    'web',
    JSON.stringify({ level: 30, time: '2026-01-02T03:04:05.678Z', process: 'web', ...entry }),
    false,
  ).slice(9);

describe('readable log line', () => {
  it('contains process, level, message and the other members', () => {
    expect(line({ msg: 'job done', job: 'content.ingest', seconds: 1.23456, queues: ['mail'] })).to.equal(
      'web    info  job done job=content.ingest seconds=1.235 queues=["mail"]',
    );
  });

  it('summarizes a request', () => {
    const request = {
      req: { method: 'GET', path: '/api/box' },
      res: { status: 200 },
      responseTime: 12.4,
      msg: 'request completed',
    };
    expect(line({ ...request, requestId: 'abc' })).to.equal('web    info  GET /api/box 200 12 ms');
  });

  it('shows the stack of an error below', () => {
    expect(line({ level: 50, msg: 'failed', err: { message: 'no', stack: 'Error: no\n    at here' } })).to.equal(
      'web    error failed\n    Error: no\n        at here',
    );
  });

  it('does not change what is not a log entry', () => {
    expect(readableLine('worker', 'plain words', false).slice(9)).to.equal('worker plain words');
    expect(readableLine('worker', '{"level":"high"}', false)).to.match(/ worker \{"level":"high"\}$/);
    expect(readableLine('worker', '{broken', false)).to.match(/ worker \{broken$/);
  });

  it('has colours on a terminal only', () => {
    expect(readableLine('web', 'x', true)).to.include('\u001B[');
    expect(readableLine('web', 'x', false)).not.to.include('\u001B[');
  });
});
