import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect } from 'chai';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { MalformedRequestError, NotFoundError } from '../../../shared/platform/errors.js';
import { endsOneExchange } from '../../../shared/processLifecycle.js';
import { rejection } from '../../support/rejection.js';

/** A PostgreSQL message: type, length, content. */
function postgresMessage(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const fields = ['SFATAL', 'C57P01', 'Mterminating connection due to administrator command'];
const acceptedLogin = Buffer.concat([postgresMessage('R', Buffer.alloc(4)), postgresMessage('Z', Buffer.from('I'))]);
const ended = postgresMessage('E', Buffer.from(`${fields.join('\0')}\0\0`));

describe('a database that closes each new connection', () => {
  let server: Server;
  let url: string;
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(error);
  let usual: NodeJS.UncaughtExceptionListener[];

  before(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.concat([acceptedLogin, ended])));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
    usual = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', onUncaught);
  });
  after(() => {
    process.removeListener('uncaughtException', onUncaught);
    for (const listener of usual) process.on('uncaughtException', listener);
    server.close();
  });

  it('fails the statement and does not end the process', async () => {
    const db = openDatabase({ url, poolSize: 1, models: [] });
    expect(await rejection(db.rows('SELECT 1'))).to.be.an('error');
    await db.close();
    expect(uncaught.splice(0)).to.deep.equal([]);
  });
});

describe('An emitter with an error listener', () => {
  const failure = new Error('it has failed');

  it('keeps the error of a stream for a later reader', async () => {
    for (const read of [
      async (stream: PassThrough) => void (await stream.toArray()),
      (stream: PassThrough) => pipeline(stream, new Writable()),
    ]) {
      const stream = withErrorListener(new PassThrough());
      stream.destroy(failure);
      await nextIteration();
      expect(await rejection(read(stream))).to.equal(failure);
    }
  });

  it('reports the error to a listener', async () => {
    const errors: Error[] = [];
    withErrorListener(new PassThrough(), (error) => errors.push(error)).destroy(failure);
    await nextIteration();
    expect(errors).to.deep.equal([failure]);
  });

  it('covers the pipes of a child process that reads nothing', async () => {
    const child = withErrorListener(spawn('/bin/sh', ['-c', 'exec <&-; echo closed; exec sleep 60']));
    await once(child.stdout, 'data');
    const closed = once(child.stdin, 'close').catch(() => {});
    child.stdin.write('nobody reads this');
    await closed;
    expect(child.stdin.errored).to.include({ code: 'EPIPE' });
    child.kill();
    await once(child, 'exit');
  });

  it('covers the connections of a server', async () => {
    const server = withErrorListener(createServer()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = withErrorListener(connect((server.address() as AddressInfo).port, '127.0.0.1'));
    const [socket] = await accepted;
    const closed = once(client, 'close');
    socket.destroy(failure);
    await closed;
    expect(socket.errored).to.equal(failure);
    server.close();
  });
});

describe('An uncaught error', () => {
  it('leaves the process running only if it describes one request or job', () => {
    const codes = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'];
    const ofOne = [
      new MalformedRequestError({ key: 'upload.aborted' }),
      new NotFoundError(),
      ...codes.map((code) => Object.assign(new Error(code), { code })),
    ];
    expect(ofOne.filter((error) => !endsOneExchange(error))).to.deep.equal([]);
    const defects = [new TypeError('x is not a function'), new Error('defect'), 'text', null, undefined];
    const others = [...defects, Object.assign(new Error('no space'), { code: 'ENOSPC' })];
    expect(others.filter((error) => endsOneExchange(error))).to.deep.equal([]);
  });
});
