import { expect } from 'chai';
import {
  AdobeChallenges,
  adobeResponse,
  isAdobeResponse,
  type AdobeAnswer,
} from '../../../workers/rtmp/adobeChallenge.js';
import { readName } from '../../../workers/rtmp/encoderCredentials.js';

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
