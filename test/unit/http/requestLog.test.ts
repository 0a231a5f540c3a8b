import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { requestLog } from '../../../api/http/requestLog.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly requestId: string;
  readonly req: { readonly method: string; readonly path: string };
  readonly res: { readonly status: number };
  readonly responseTime: number;
}

interface Handled {
  readonly status?: number;
  readonly isAborted?: boolean;
  readonly requestId?: string;
}

/** The line of one request and its `X-Request-Id`. */
function logged(url: string, { status = 200, isAborted = false, requestId }: Handled = {}) {
  let written = '';
  let id = '';
  const log = pino(new Writable({ write: (chunk, _encoding, done) => ((written += chunk), done()) }));
  const headers = requestId === undefined ? {} : { 'x-request-id': requestId };
  const request = { method: 'GET', url, headers } as unknown as IncomingMessage;
  const response = Object.assign(new EventEmitter(), {
    ...{ statusCode: status, writableFinished: !isAborted },
    setHeader: (_name: string, value: string) => void (id = value),
  });
  requestLog(log, '/base')(request, response as unknown as ServerResponse & { req: IncomingMessage });
  response.emit('close');
  return { line: written === '' ? null : (JSON.parse(written) as Line), id };
}

describe('The request log', () => {
  it('masks grants and playback tokens in paths and omits the query', () => {
    const pathOf = (url: string) => logged(url).line?.req.path;
    expect(pathOf('/base/api/box?access_token=secret')).to.equal('/api/box');
    expect(pathOf('/base/s/k1.full.secret/content/x')).to.equal('/s');
    expect(pathOf('/base/rest/integration/authtoken/k1.live.secret')).to.equal('/rest/integration/authtoken');
    expect(pathOf('/base/rest/integration/authtoken/a/secret')).to.equal('/rest/integration/authtoken');
    expect(pathOf('/base/rest/integration/hooks/srs?id=secret')).to.equal('/rest/integration/hooks/srs');
  });

  it('writes one line for each request, with its outcome', () => {
    const { line, id } = logged('/base/api/box');
    expect(line).to.include({ level: 30, msg: 'request completed', requestId: id });
    expect(line).to.deep.include({ req: { method: 'GET', path: '/api/box' }, res: { status: 200 } });
    expect(line?.responseTime).to.be.within(0, 1000);
    expect(logged('/base/api/box', { isAborted: true }).line).to.include({ level: 30, msg: 'request aborted' });
    expect(logged('/base/api/box', { status: 404 }).line).to.include({ level: 30 });
    expect(logged('/base/api/box', { status: 500 }).line).to.include({ level: 50 });
    expect(logged('/base/readyz').line).to.equal(null);
  });

  it('uses the caller’s request id if it is safe in a log', () => {
    expect(logged('/base/api/box', { requestId: 'a-safe-id_1' }).id).to.equal('a-safe-id_1');
    for (const requestId of ['short', 'a b c d e f', 'x'.repeat(65)]) {
      const { line, id } = logged('/base/api/box', { requestId });
      expect(id).to.match(/^[0-9a-f-]{36}$/);
      expect(line?.requestId).to.equal(id);
    }
  });
});
