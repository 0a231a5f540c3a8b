import { expect } from 'chai';
import {
  AdobeChallenges,
  adobeResponse,
  isAdobeResponse,
  type AdobeAnswer,
} from '../../../workers/rtmp/adobeChallenge.js';
import { encodeAmf0 } from '../../../workers/rtmp/amf0.js';
import { readName, queryCredentials, readChallengeStep } from '../../../workers/rtmp/encoderCredentials.js';
import { defaultRtmpLimits } from '../../../workers/rtmp/limits.js';
import { LoginRequests } from '../../../workers/rtmp/loginRequests.js';
import { messageType } from '../../../workers/rtmp/rtmpMessage.js';
import { RtmpSession } from '../../../workers/rtmp/rtmpSession.js';
import { eventually } from '../../support/eventually.js';

const key = Buffer.alloc(32, 7);

/** A challenge, parsed from the description like an encoder does. */
function challengeOf(challenges: AdobeChallenges, user: string): { salt: string; opaque: string } {
  const parameters = readName(`x${challenges.describe(user).replace(/^.*\?/, '?')}`)?.parameters;
  return { salt: parameters?.get('salt') ?? '', opaque: parameters?.get('opaque') ?? '' };
}

describe('Adobe’s challenge', () => {
  it('matches the response of the protocol', () => {
    const answer: AdobeAnswer = { user: 'alice', salt: 'c2FsdA', opaque: 'opaque1', challenge: '0badcafe' };
    // printf %s alicec2FsdAsecret | openssl md5 -binary | base64, and again with opaque and challenge appended.
    expect(adobeResponse(answer, 'secret')).to.equal('T9Tmk8COK0faNHDJOiHnNg==');
    expect(isAdobeResponse('T9Tmk8COK0faNHDJOiHnNg==', answer, 'secret')).to.equal(true);
    expect(isAdobeResponse('T9Tmk8COK0faNHDJOiHnNg==', answer, 'Secret')).to.equal(false);
    expect(isAdobeResponse('', answer, 'secret')).to.equal(false);
  });

  it('is accepted by every process with the same key, once in each', () => {
    const now = () => 1_000_000;
    const { salt, opaque } = challengeOf(new AdobeChallenges(key, now), 'alice');
    const other = new AdobeChallenges(key, now);
    const given = { user: 'alice', opaque, challenge: 'abcd' };
    expect(other.accept(given)).to.deep.equal({ ...given, salt });
    expect(other.accept(given)).to.equal(null);
  });

  it('is rejected if it is old, changed, or of another key', () => {
    let time = 1_000_000;
    const challenges = new AdobeChallenges(key, () => time);
    const { opaque } = challengeOf(challenges, 'alice');
    const given = { user: 'alice', challenge: 'abcd' };
    const last = opaque.at(-1) === 'A' ? 'B' : 'A';
    expect(challenges.accept({ ...given, opaque: opaque.slice(0, -1) + last })).to.equal(null);
    expect(challenges.accept({ ...given, opaque: `${opaque}=` })).to.equal(null);
    expect(challenges.accept({ ...given, opaque: '' })).to.equal(null);
    expect(new AdobeChallenges(Buffer.alloc(32), () => time).accept({ ...given, opaque })).to.equal(null);
    time += 60_001;
    expect(challenges.accept({ ...given, opaque })).to.equal(null);
  });
});

const parametersOf = (text: string): ReadonlyMap<string, string> => readName(text)?.parameters ?? new Map();
const challenges = new AdobeChallenges(Buffer.alloc(32), () => 1000);

describe('stream names with parameters', () => {
  it('are separated from their parameters', () => {
    expect(readName('news?user=alice&pass=a+b=')).to.deep.equal({
      name: 'news',
      parameters: new Map([
        ['user', 'alice'],
        ['pass', 'a+b='],
      ]),
    });
    expect(readName('/live/')?.name).to.equal('live');
    expect(readName('live?authmod=adobe&user=alice?response=r')?.parameters.get('response')).to.equal('r');
  });

  it('are rejected if they are empty, too long, or contain control characters', () => {
    for (const text of ['', '/', '?user=alice', 'a'.repeat(257), 'a\nb', '\u0000'])
      expect(readName(text)).to.equal(null);
  });

  it('are parsed in linear time, even if they consist of slashes', () => {
    const since = performance.now();
    for (let at = 0; at < 100; at += 1) {
      expect(readName(`x${'/'.repeat(16_000)}x`)).to.equal(null);
      expect(readName(`${'/'.repeat(2000)}x${'/'.repeat(2000)}`)?.name).to.equal('x');
    }
    // In quadratic time, each of them would take a tenth of a second.
    expect(performance.now() - since).to.be.below(1000);
  });
});

describe('credentials in a query', () => {
  it('keep a plus sign and decode percent-encoding', () => {
    expect(queryCredentials(parametersOf('x?user=a%40b&pass=1+2%2B3'))).to.deep.equal({
      kind: 'query',
      user: 'a@b',
      password: '1+2+3',
    });
    expect(queryCredentials(parametersOf('x?user=alice&pass=100%'))).to.deep.include({ password: '100%' });
  });

  it('require both user and password', () => {
    for (const text of ['x', 'x?user=alice', 'x?pass=secret', 'x?user=&pass=secret', 'x?user=alice&pass='])
      expect(queryCredentials(parametersOf(text)), text).to.deep.equal({ kind: 'none' });
  });
});

describe('the steps of a challenge', () => {
  const step = (text: string) => readChallengeStep(parametersOf(text), challenges);

  it('start without credentials, continue with a user, and end with a response', () => {
    expect(step('live')).to.equal('need authentication');
    expect(step('live?authmod=llnw&user=alice')).to.equal('need authentication');
    expect(step('live?authmod=adobe')).to.equal('need authentication');
    expect(step('live?authmod=adobe&user=alice')).to.deep.equal({ challengeFor: 'alice' });
    const [, salt = '', opaque = ''] = /salt=(.*?)&challenge=.*?&opaque=(.*)/.exec(challenges.describe('a%20b')) ?? [];
    const response = adobeResponse({ user: 'a%20b', salt, opaque, challenge: 'c+/=' }, 'secret');
    const credentials = step(`live?authmod=adobe&user=a%20b&challenge=c+/=&response=${response}&opaque=${opaque}`);
    if (typeof credentials === 'string' || !('kind' in credentials) || credentials.kind !== 'adobe')
      throw new Error('no credentials');
    expect(credentials.user).to.equal('a b');
    expect(credentials.check('secret')).to.equal(true);
    expect(credentials.check('another')).to.equal(false);
  });

  it('restart on a challenge of another server', () => {
    expect(step('live?authmod=adobe&user=alice&challenge=c&response=r&opaque=o')).to.deep.equal({
      challengeFor: 'alice',
    });
  });

  it('are skipped with credentials in the address', () => {
    expect(step('live?user=alice&pass=secret')).to.deep.equal({ kind: 'query', user: 'alice', password: 'secret' });
  });
});

describe('encoders with a pending login challenge', () => {
  it('count as rejected if they do not return from the same address', async () => {
    const requests = new LoginRequests(20);
    const gone: string[] = [];
    const ask = (name: string, address: string): void => requests.ask(address, () => void gone.push(name));
    ask('one', '192.0.2.1');
    ask('another', '192.0.2.1');
    ask('a third', '2001:db8::1');
    requests.returned('192.0.2.1');
    requests.returned('2001:db8::2');
    requests.returned('192.0.2.9');
    await eventually(() => expect(gone).to.have.length(1));
    expect(gone).to.deep.equal(['another']);
    ask('a last one', '192.0.2.1');
    await eventually(() => expect(gone).to.deep.equal(['another', 'a last one']));
  });

  it('are reported with address, application and stream path', async () => {
    const refused: object[] = [];
    const loginRequests = new LoginRequests(10);
    const connectTo = async (app: string): Promise<void> => {
      const session = new RtmpSession<string>({
        peer: {
          ...{ remoteAddress: '192.0.2.1', isOpen: true, send() {}, dismiss() {}, onEnd() {} },
          onRefused: (refusal) => void refused.push(refusal),
        },
        decisions: { authenticate: () => expect.fail('not needed'), onPublish() {} },
        challenges: new AdobeChallenges(Buffer.alloc(32), () => 0),
        loginRequests,
        limits: defaultRtmpLimits,
        now: () => new Date(),
      });
      const payload = encodeAmf0('connect', 1, { app });
      await session.take({ type: messageType.commandAmf0, timestamp: 0, streamId: 0, payload }, () => {});
    };
    await connectTo('live');
    await connectTo('live?authmod=adobe&user=alice');
    await eventually(() => expect(refused).to.have.length(1));
    expect(refused).to.deep.equal([
      { reason: 'no login', detail: 'did not return after the request to log in', application: 'live', user: 'alice' },
    ]);
    await connectTo('live');
    await eventually(() => expect(refused).to.have.length(2));
  });

  it('are limited to a thousand', () => {
    const requests = new LoginRequests();
    let gone = 0;
    for (let at = 0; at < 1100; at += 1) requests.ask(`192.0.2.${at % 200}`, () => (gone += 1));
    expect(gone).to.equal(100);
    requests.close();
  });
});
