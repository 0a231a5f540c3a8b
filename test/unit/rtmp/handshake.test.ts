import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { Handshake } from '../../../workers/rtmp/handshake.js';
import { RtmpProtocolError } from '../../../workers/rtmp/protocolError.js';

describe('the handshake', () => {
  const c1 = randomBytes(1536);
  const sent = Buffer.concat([Buffer.from([3]), c1, randomBytes(1536), Buffer.from('next')]);

  it('echoes C1 in S2 and returns the bytes after it for any split', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1 }), (sizes) => {
        const handshake = new Handshake('server');
        const replies: Buffer[] = [];
        const rest: Buffer[] = [];
        for (let at = 0, turn = 0; at < sent.length; turn += 1) {
          const size = sizes[turn % sizes.length] as number;
          const part = sent.subarray(at, at + size);
          if (handshake.isDone) rest.push(part);
          else {
            const found = handshake.read(part);
            if (found.reply) replies.push(found.reply);
            rest.push(found.rest);
          }
          at += size;
        }
        const [reply] = replies;
        expect(replies).to.have.length(1);
        expect(reply).to.have.length(1 + 2 * 1536);
        expect(reply?.[0]).to.equal(3);
        expect(reply?.subarray(1 + 1536).equals(c1)).to.equal(true);
        expect(Buffer.concat(rest).toString()).to.equal('next');
      }),
      { numRuns: 50 },
    );
  });

  it('rejects another protocol at its first byte', () => {
    for (const first of ['GET / HTTP/1.1', '\u0006', '\u0016\u0003\u0001'])
      expect(() => new Handshake('server').read(Buffer.from(first))).to.throw(RtmpProtocolError);
  });
});
