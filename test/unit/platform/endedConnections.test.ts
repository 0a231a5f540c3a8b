import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import { rejection } from '../../support/rejection.js';

/** A message of PostgreSQL: its type, its length, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const fields = ['SFATAL', 'C57P01', 'Mterminating connection due to administrator command'];
const accepted = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const ended = message('E', Buffer.from(`${fields.join('\0')}\0\0`));

describe('a database that ends a connection as soon as it is made', () => {
  let server: Server;
  let url: string;
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(error);
  let usual: NodeJS.UncaughtExceptionListener[];

  before(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.concat([accepted, ended])));
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

  it('fails the statement, and does not end the process', async () => {
    const db = openDatabase({ url, poolSize: 1, models: [] });
    expect(await rejection(db.rows('SELECT 1'))).to.be.an('error');
    await db.close();
    expect(uncaught.splice(0)).to.deep.equal([]);
  });
});
