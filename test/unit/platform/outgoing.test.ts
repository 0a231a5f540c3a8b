import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { NetworkList } from '../../../shared/platform/formats/network.js';
import { OutgoingGuard, OutgoingRefusedError } from '../../../shared/platform/outgoing/outgoingGuard.js';
import { hostResolver } from '../../../shared/platform/outgoing/resolveHost.js';
import { sendOutgoing, type OutgoingRequest } from '../../../shared/platform/outgoing/outgoingRequest.js';
import { eventually, rejection } from '../../support/eventually.js';

/** Addresses inside the service's network, in the spellings that attackers use. */
const refusedHosts = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001'],
  ...['127.0.0.1.', '127.255.255.254', '0.0.0.0', '0', '0.0.0.0.', '10.0.0.1', '10.255.255.255', '012.0.0.1'],
  ...['172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1.254', '0xc0a80001', '169.254.169.254', '2852039166'],
  ...['100.64.0.1', '100.127.255.254', '198.18.0.1', '192.0.2.1', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
  ...['240.0.0.1', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]', '[::127.0.0.1]'],
  ...['[fc00::1]', '[fd12:3456::1]', '[fe80::1]', '[ff02::1]', '[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]'],
  ...['[2002:7f00:1::]', '[2001:0:7f00:1::]', '[2001:db8::1]', '[0:0:0:0:0:0:0:1]', '[100::1]', '[3fff::1]'],
  ...['①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', '0x7F.1', '00000177.1'],
];

const publicHosts = ['192.0.1.1', '8.8.8.8', '172.32.0.1', '[2606:4700::1111]', '[2a00:1450:4001::1]', '100.128.0.1'];

const refusedTexts = [
  ['ftp://example.org/a', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://127.0.0.1:70/', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['//example.org/a', 'scheme'],
  ['', 'scheme'],
  ['http://', 'scheme'],
  ['http://user:password@example.org/', 'credentials'],
  ['http://example.org@127.0.0.1/', 'credentials'],
] as const;

const noNetworks = new NetworkList([]);
const usual = { userAgent: 'Service (+https://video.example.org)', responseMs: 2_000, silenceMs: 2_000 };

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await rejection(work);
  expect(error).to.be.instanceOf(OutgoingRefusedError);
  return (error as OutgoingRefusedError).code;
}

describe('the guard of outgoing requests', () => {
  it(`rejects ${refusedHosts.length} spellings of addresses that are not public`, async () => {
    const guard = new OutgoingGuard(noNetworks, () => Promise.reject(new Error('no look-up')));
    for (const host of refusedHosts)
      for (const address of [`http://${host}/`, `https://${host}:8443/a?b#c`])
        expect(await codeOf(guard.pin(address)), address).to.equal('address');
  });

  it('rejects names that resolve to a non-public address, even in addition to a public one', async () => {
    for (const host of refusedHosts.filter((each) => /^[\d.]+$|^\[[\da-f:]+\]$/.test(each))) {
      const address = new URL(`http://${host}`).hostname.replace(/[[\]]/g, '');
      const guard = new OutgoingGuard(noNetworks, async () => ['93.184.216.34', address]);
      expect(await codeOf(guard.pin('https://video.example.org/')), host).to.equal('address');
    }
    expect(await codeOf(new OutgoingGuard(noNetworks).pin('http://localhost:3000/'))).to.equal('address');
  });

  it('permits public addresses', async () => {
    const guard = new OutgoingGuard(noNetworks);
    for (const host of publicHosts) {
      const { address } = await guard.pin(`https://${host}/`);
      expect(address).to.equal(host.replace(/[[\]]/g, ''));
    }
  });

  it('rejects other protocols and credentials', async () => {
    const guard = new OutgoingGuard(noNetworks);
    for (const [address, code] of refusedTexts) expect(await codeOf(guard.pin(address)), address).to.equal(code);
  });

  it('reports a name without an address', async () => {
    const guard = new OutgoingGuard(noNetworks, async () => []);
    expect(await codeOf(guard.pin('https://nowhere.example.org/'))).to.equal('name');
  });

  it('permits the networks that the operator names', async () => {
    const guard = new OutgoingGuard(new NetworkList(['10.1.0.0/16', 'fd00::/8']));
    expect((await guard.pin('http://10.1.2.3/')).address).to.equal('10.1.2.3');
    expect((await guard.pin('http://[fd00::1]/')).address).to.equal('fd00::1');
    expect(await codeOf(guard.pin('http://10.2.0.1/'))).to.equal('address');
  });
});

describe('the DNS lookup of a name', () => {
  let server: DatagramSocket;
  const asked: string[] = [];

  before(async () => {
    server = createSocket('udp4');
    server.on('message', (question, { port }) => {
      const name = question.toString('latin1', 13).split('\0')[0] ?? '';
      asked.push(name);
      if (name.startsWith('silent')) return;
      const isAddress = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1;
      const answer = Buffer.from(isAddress ? 'c00c00010001000000000004c6336407' : '', 'hex');
      const counts = Buffer.from([0x81, 0x80, 0, 1, 0, isAddress ? 1 : 0, 0, 0, 0, 0]);
      const end = question.indexOf(0, 12) + 5;
      server.send(Buffer.concat([question.subarray(0, 2), counts, question.subarray(12, end), answer]), port);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  it('is not delayed by names whose server never responds, and these fail in time', async () => {
    const resolve = hostResolver({ servers: [`127.0.0.1:${server.address().port}`], timeoutMs: 100 });
    const silent = Array.from({ length: 50 }, (_, index) => rejection(resolve(`silent${index}.example.org`)));
    await eventually(() => expect(new Set(asked).size).to.equal(50));
    expect(await resolve('video.example.org')).to.deep.equal(['198.51.100.7']);
    for (const error of await Promise.all(silent)) expect(error).to.have.property('code', 'ETIMEOUT');
  });

  it('uses the system resolver for local host names', async () => {
    const resolve = hostResolver({ servers: ['127.0.0.1:1'], timeoutMs: 100 });
    expect(await resolve('localhost')).to.include('127.0.0.1');
  });
});

describe('an outgoing request', () => {
  let server: Server;
  let port: number;
  let respond: (path: string, response: ServerResponse) => void;
  const asked: string[] = [];
  const local = new NetworkList(['127.0.0.1']);

  before(async () => {
    server = createServer(({ method, url, headers }, response) => {
      asked.push(`${method} ${headers.host} ${url}`);
      respond(url ?? '', response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => void asked.splice(0));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (path: string, options: Partial<OutgoingRequest> = {}, guard = new OutgoingGuard(local)) =>
    sendOutgoing(guard, { url: `http://127.0.0.1:${port}${path}`, ...usual, ...options });

  it('connects to the checked address, even if the name resolves to another one meanwhile', async () => {
    respond = (_path, response) => response.end('here');
    const meanings = [['127.0.0.1'], ['169.254.169.254']];
    const guard = new OutgoingGuard(local, async () => meanings.shift() ?? []);
    const { status, body } = await send('', { url: `http://video.example.org:${port}/film` }, guard);
    expect([status, await text(body)]).to.deep.equal([200, 'here']);
    expect(asked).to.deep.equal([`GET video.example.org:${port} /film`]);
    expect(await codeOf(send('', { url: `http://video.example.org:${port}/film` }, guard))).to.equal('address');
  });

  it('follows redirects only on request', async () => {
    respond = (_path, response) => response.writeHead(302, { location: '/next' }).end();
    const { status, body } = await send('/first', { method: 'POST', body: '{}' });
    body.destroy();
    expect(status).to.equal(302);
    expect(asked).to.have.length(1);
  });

  it('follows three redirects and checks each address', async () => {
    respond = (path, response) => {
      const count = Number(path.slice(1));
      if (count < 3) response.writeHead(307, { location: `/${count + 1}` }).end();
      else response.end('arrived');
    };
    const { url, body } = await send('/0', { redirects: 3 });
    expect([url, await text(body)]).to.deep.equal([`http://127.0.0.1:${port}/3`, 'arrived']);
    respond = (path, response) => {
      const location = Buffer.from(path === '/0' ? '/über den Fluß' : '/%E9', 'utf8').toString('latin1');
      if (path === '/%E9') response.end('arrived');
      else response.writeHead(302, { location }).end();
    };
    asked.splice(0);
    (await send('/0', { redirects: 3 })).body.destroy();
    expect(asked.map((line) => line.split(' ').at(-1))).to.deep.equal(['/0', '/%C3%BCber%20den%20Flu%C3%9F', '/%E9']);
    respond = (_path, response) => response.writeHead(302, { location: '/again' }).end();
    expect(await codeOf(send('/0', { redirects: 3 }))).to.equal('redirects');
    for (const [location, code] of [
      ['http://169.254.169.254/latest', 'address'],
      [`http://[::1]:${port}/`, 'address'],
      [`http://localhost:${port}/`, 'address'],
      ['//2130706434/', 'address'],
      ['file:///etc/passwd', 'scheme'],
      ['http://a:b@127.0.0.1/', 'credentials'],
    ] as const) {
      respond = (_path, response) => response.writeHead(301, { location }).end();
      const guard = new OutgoingGuard(local, async () => ['127.0.0.2']);
      expect(await codeOf(send('/', { redirects: 3 }, guard)), location).to.equal(code);
    }
  });

  it('ends if no response arrives, if the body stops, or if its signal aborts', async () => {
    respond = () => {};
    expect(await rejection(send('/', { responseMs: 100 }))).to.match(/no response within 100 ms/);
    respond = (_path, response) => void response.write('part');
    const { body } = await send('/', { silenceMs: 100 });
    expect(await rejection(text(body))).to.match(/no data received for 100 ms/);
    const abortion = new AbortController();
    const { body: endless } = await send('/', { signal: abortion.signal });
    setTimeout(() => abortion.abort(new Error('stopped')), 50);
    expect(await rejection(text(endless))).to.match(/stopped/);
  });

  /** Responses of a hostile server that delays its caller, and the result of the request. */
  const hostileServers: readonly (readonly [
    kind: string,
    answer: (socket: Socket) => void,
    error: RegExp,
    scheme?: string,
  ])[] = [
    [
      '101 for another protocol',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      /status 101/,
    ],
    ['101 alone', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'), /status 101/],
    [
      '100 and 103 without end',
      (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'),
      /informational/,
    ],
    [
      'a header that arrives byte by byte',
      (socket) => repeat(socket, 'X-A: a\r\n', 'HTTP/1.1 200 OK\r\n'),
      /no response within|overflow/i,
    ],
    ['no HTTP', (socket) => socket.write('hello, this is HTTP/0.9\r\n'), /Parse Error|HPE/i],
    ['the end of the connection', (socket) => socket.end(), /hang up|ended without/],
    ['a truncated header', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'), /hang up|ended|parse/i],
    ['a reset', (socket) => socket.resetAndDestroy(), /ECONNRESET|hang up/],
    ['nothing', () => {}, /no response within/],
    ['a TLS handshake without end', () => {}, /no response within/, 'https'],
  ];
  function repeat(socket: Socket, part: string, first = ''): void {
    socket.write(first);
    const timer = setInterval(() => socket.write(part), 1);
    socket.once('close', () => clearInterval(timer));
  }

  for (const [kind, answer, error, scheme = 'http'] of hostileServers)
    it(`rejects ${kind}, and closes the connection`, async () => {
      const sockets = new Set<Socket>();
      const hostile = createTcpServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.once('close', () => sockets.delete(socket));
        socket.once('data', () => answer(socket));
      }).listen(0, '127.0.0.1');
      await once(hostile, 'listening');
      try {
        const url = `${scheme}://127.0.0.1:${(hostile.address() as AddressInfo).port}/`;
        expect((await rejection(send('/', { url, responseMs: 300 }))).message).to.match(error);
        await eventually(() => expect(sockets.size).to.equal(0));
      } finally {
        for (const socket of sockets) socket.destroy();
        hostile.close();
      }
    });

  it('ends a body with endless trailers and does not decode bodies', async () => {
    respond = (_path, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' });
      response.write('not gzip');
      response.socket?.write('0\r\n');
      repeat(response.socket as Socket, `X-Trailer: ${'a'.repeat(1_000)}\r\n`);
    };
    const { body } = await send('/');
    const [chunk] = (await once(body, 'data')) as [Buffer];
    expect(chunk.toString()).to.equal('not gzip');
    expect((await rejection(text(body))).message).to.match(/aborted|header|overflow/i);
  });

  it('rejects a header without an end', async () => {
    respond = (_path, response) => void response.writeHead(200, { 'x-long': 'a'.repeat(20_000) }).end();
    expect(await rejection(send('/'))).to.match(/header/i);
    await sleep(0);
  });

  it('sends a body with its length', async () => {
    const received: string[] = [];
    server.once('request', (request) => void text(request).then((body) => received.push(body)));
    respond = (_path, response) => void setTimeout(() => response.writeHead(204).end(), 20);
    const { status, body } = await send('/', { method: 'POST', body: '{"é":1}', headers: { 'x-id': '1' } });
    body.destroy();
    expect([status, received]).to.deep.equal([204, ['{"é":1}']]);
  });
});
