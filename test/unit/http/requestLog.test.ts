import { Writable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { pino } from 'pino';
import { requestLog } from '../../../api/http/requestLog.js';

describe('The request log', () => {
  it('has paths without grants and playback tokens, and never a query', async () => {
    const logged = async (url: string): Promise<string> => {
      let lines = '';
      const log = pino(new Writable({ write: (chunk, _encoding, done) => ((lines += chunk), done()) }));
      const request = { method: 'GET', url, headers: {} } as unknown as IncomingMessage;
      const response = { statusCode: 200, setHeader() {}, on() {}, once() {}, removeListener() {} };
      let finished = (): void => {};
      response.on = ((event: string, listener: () => void) => {
        if (event === 'finish') finished = listener;
      }) as never;
      requestLog(log, '/base')(request, response as unknown as ServerResponse);
      finished.call(response);
      return (JSON.parse(lines) as { req: { path: string } }).req.path;
    };
    expect(await logged('/base/api/box?access_token=secret')).to.equal('/api/box');
    expect(await logged('/base/s/k1.full.secret/content/x')).to.equal('/s');
    expect(await logged('/base/rest/integration/authtoken/k1.live.secret')).to.equal('/rest/integration/authtoken');
    expect(await logged('/base/rest/integration/authtoken/a/secret')).to.equal('/rest/integration/authtoken');
    expect(await logged('/base/rest/integration/hooks/srs?id=secret')).to.equal('/rest/integration/hooks/srs');
  });
});
