import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { makeVideo } from '../../support/media.js';
import { rejection } from '../../support/rejection.js';
import { startEncoder } from '../../support/rtmp/encoder.js';
import { alice, keyOf, startTestRtmp } from '../../support/rtmp/testServer.js';

describe('RTMPS', () => {
  const certificate = join(tmpdir(), `${randomUUID()}.pem`);
  const key = join(tmpdir(), `${randomUUID()}.key`);

  before(async () => {
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
    ];
    await promisify(execFile)('openssl', [...request, '-subj', '/CN=localhost', '-keyout', key, '-out', certificate]);
  });

  after(() => Promise.all([certificate, key].map((path) => rm(path))));

  it('takes a stream over TLS, and drops plain connections', async () => {
    const server = await startTestRtmp({ tls: { certificate, key } });
    try {
      const clip = await makeVideo({ seconds: 2, size: '320x180' });
      const { printed } = await startEncoder(clip, `rtmps://127.0.0.1:${server.port}/key/${keyOf(alice)}`).ended;
      const { publication } = server.taken[0] ?? expect.fail(printed);
      expect(await publication.ended).to.deep.equal({ reason: 'unpublished' });
      expect(publication.counts.videoMessages).to.equal(50);
      await server.reloadCertificate();
      const plain = connect(server.port, '127.0.0.1');
      plain.on('error', () => {});
      plain.write(Buffer.alloc(1537, 3));
      plain.resume();
      await once(plain, 'close');
      await eventually(() => expect(server.connections).to.equal(0));
    } finally {
      await server.stop();
    }
  });

  it('does not start without its files', async () => {
    const error = await rejection(startTestRtmp({ tls: { certificate: key, key } }));
    expect(error.message).to.match(/PEM|certificate/i);
    expect((await rejection(startTestRtmp({ tls: { certificate: '/nowhere', key } }))).message).to.include('ENOENT');
  });
});
