import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { storeMail, mailFolder } from '../../../shared/platform/mail/mailFiles.js';
import { sweepPlatform } from '../../../shared/platform/platform.jobs.js';
import { publicToken, registration } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { serviceFixture } from '../../support/fixtures.js';

const authorization = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const operator = authorization('operator', 'operator-password');

describe('the operators’ mail reader', () => {
  const { ctx, api } = serviceFixture({ BASE_PATH: '/platform', PUBLIC_URL: 'http://127.0.0.1:3000/platform' });
  beforeEach(() => rm(mailFolder(ctx.config), { recursive: true, force: true }));

  const open = (path = '', headers = operator) => api.call('GET', `/admin/mails${path}`, { headers });
  const send = (to: string, subject: string, text = 'Hello') => ctx.mailer.send({ to, subject, text });
  const linksTo = (text: string) =>
    [...text.matchAll(/href="\/platform(\/admin\/mails\/[^"]+)"/g)].map(([, path]) => path);

  it('shows an activation mail, whose link activates the account', async () => {
    const workers = await startWorkers(ctx, { queues: ['mail'] });
    try {
      const token = await publicToken(api);
      const activationUrl = 'https://app.example.org/activate?a=1&token=${token}';
      await api.call('POST', '/api/public/user/register', { token, body: registration({ activationUrl }) });
      const [path = ''] = await eventually(async () => {
        const found = linksTo((await open()).text);
        expect(found).to.have.length(1);
        return found;
      });
      const { status, text, headers } = await api.call('GET', path, { headers: operator });
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      const [, link = ''] = /<a href="(https:\/\/app\.example\.org[^"]+)" rel="noopener noreferrer/.exec(text) ?? [];
      expect(link).to.include('?a=1&amp;token=');
      const mailed = link.split('token=')[1];
      expect((await api.call('GET', `/api/public/user/activate?token=${mailed}`, { token })).status).to.equal(200);
    } finally {
      await workers.close();
    }
  });

  it('shows the mails of a week; the sweep removes older mails, and drafts left by a crash', async () => {
    const folder = mailFolder(ctx.config);
    const hoursAgo = (hours: number): Date => new Date(ctx.clock.now().getTime() - hours * 3_600_000);
    const keep = (subject: string, sentAt: Date) =>
      storeMail(folder, { from: 'us', to: 'reader@example.org', subject, text: 'Hello', sentAt });
    await keep('Eight days', hoursAgo(8 * 24));
    await keep('Six days', hoursAgo(6 * 24));
    for (const [name, time] of [
      ['old', hoursAgo(8 * 24)],
      ['new', hoursAgo(0)],
    ] as const)
      await writeFile(join(folder, `.${time.toISOString().replace(/[:.]/g, '-')}-0000000a.draft`), name);
    await writeFile(join(folder, 'notes.txt'), 'of the operator');
    const workers = await startWorkers(ctx, { queues: ['sweeps'] });
    try {
      await ctx.db.transaction((tx) => ctx.outbox.add(tx, sweepPlatform, {}));
      await eventually(async () =>
        expect((await open()).text)
          .to.include('Six days')
          .and.not.include('Eight days'),
      );
      await eventually(async () => expect(await readdir(folder)).to.have.length(3));
      expect((await readdir(folder)).filter((name) => /draft|notes/.test(name))).to.have.length(2);
    } finally {
      await workers.close();
    }
  });

  it('lists fifty mails per page, newest first', async () => {
    for (let number = 1; number <= 51; number += 1) {
      await storeMail(mailFolder(ctx.config), {
        from: 'us',
        to: `reader${number}@example.org`,
        subject: `Mail ${number}`,
        text: 'Hello',
        sentAt: new Date(1_700_000_000_000 + number),
      });
    }
    const first = (await open()).text;
    expect(linksTo(first)).to.have.length(50);
    const mailed = [...first.matchAll(/reader(\d+)@/g)].map(([, number]) => Number(number));
    expect(mailed.slice(0, 2)).to.deep.equal([51, 50]);
    expect(first).to.include('Older').and.not.include('Newer');
    const second = (await open('?page=1')).text;
    expect(second).to.include('Mail 1<').and.include('Newer');
    expect(linksTo(second)).to.have.length(1);
    expect((await open('?page=-1')).status).to.equal(400);
    expect((await open('?page=9')).status).to.equal(200);
  });

  it('escapes all user-supplied text', async () => {
    const hostile = `<script>alert(1)</script> "><img src=x onerror=alert(1)> 'q' & https://evil.test/"onclick="x javascript:alert(1)`;
    await send('reader@example.org', hostile, `${hostile}\n\nsecond\n`);
    const list = (await open()).text;
    const [path = ''] = linksTo(list);
    const mail = (await api.call('GET', path, { headers: operator })).text;
    for (const page of [list, mail]) {
      expect(page).not.to.match(/<script|<img|onclick="|href="javascript/);
      expect(page).to.include('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
    expect(mail).to.include('href="https://evil.test/" rel=').and.include('\n\nsecond\n</pre>');
  });

  it('responds with 401 to all callers except operators', async () => {
    await send('reader@example.org', 'Secret subject');
    const [path = ''] = linksTo((await open()).text);
    for (const headers of [
      {},
      authorization('operator', 'wrong'),
      authorization('web', 'web-client-secret'),
      { authorization: `Bearer ${await publicToken(api)}` },
    ]) {
      for (const address of ['/admin/mails', path]) {
        const { status, text, headers: sent } = await api.call('GET', address, { headers });
        expect(status).to.equal(401);
        expect(sent.get('www-authenticate')).to.equal('Basic realm="operators"');
        expect(text).not.to.include('Secret subject');
      }
    }
  });

  it('responds with 404 to names that are no mail', async () => {
    const folder = mailFolder(ctx.config);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'secret.txt'), 'To: x\n\nsecret');
    await writeFile(join(ctx.config.dataDir, '2026-01-01T00-00-00-000Z-00000000.txt'), 'To: x\n\nsecret');
    for (const name of [
      'secret',
      'secret.txt',
      '..%2f2026-01-01T00-00-00-000Z-00000000',
      '2026-01-01T00-00-00-000Z-00000000',
      '%00',
    ])
      expect((await open(`/${name}`)).status, name).to.equal(404);
    expect(linksTo((await open()).text)).to.deep.equal([]);
  });

  it('shows a message if there are no mails, runs no script, and cannot be framed', async () => {
    const { text, headers } = await open();
    expect(text).to.include('There are no mails yet.');
    expect(headers.get('content-security-policy')).to.match(
      /^default-src 'none'; style-src 'nonce-[^']+'; .*frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
  });
});

describe('the operators’ mail reader with an SMTP server', () => {
  const { api } = serviceFixture({ SMTP_URL: 'smtp://127.0.0.1:1' });

  it('responds with 404', async () => {
    expect((await api.call('GET', '/admin/mails', { headers: operator })).status).to.equal(404);
    expect((await api.call('GET', '/admin/mails')).status).to.equal(401);
  });
});
