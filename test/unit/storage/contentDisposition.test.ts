import { expect } from 'chai';
import { attachment, plainFileName } from '../../../shared/platform/formats/contentDisposition.js';

describe('file names', () => {
  const names: readonly (readonly [string, string])[] = [
    ['film.mp4', 'film.mp4'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\films\\summer.mov', 'summer.mov'],
    ['.htaccess', 'htaccess'],
    ['a\r\nSet-Cookie: x=1', 'aSet-Cookie x=1'],
    ['my "best" film?.mp4', 'my best film.mp4'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['naïve – 東京 💛.mp4', 'naïve – 東京 💛.mp4'],
    ['..', ''],
    ['', ''],
  ];
  for (const [given, plain] of names) {
    it(`makes ${JSON.stringify(plain)} of ${JSON.stringify(given)}`, () =>
      expect(plainFileName(given)).to.equal(plain));
  }

  it('keeps no more than 255 characters, and none by half', () => {
    expect(plainFileName('💛'.repeat(400))).to.equal('💛'.repeat(255));
  });
});

describe('Content-Disposition', () => {
  it('names ASCII names as they are', () =>
    expect(attachment('film 1.mp4')).to.equal('attachment; filename="film 1.mp4"'));

  it('names others twice: RFC 5987 for those who can, ASCII for those who cannot', () => {
    expect(attachment("café's (1)*.mp4")).to.equal(
      "attachment; filename=\"cafe's (1).mp4\"; filename*=UTF-8''caf%C3%A9%27s%20%281%29.mp4",
    );
    expect(attachment('東京.mp4')).to.equal('attachment; filename="__.mp4"; filename*=UTF-8\'\'%E6%9D%B1%E4%BA%AC.mp4');
  });

  it('lets nothing out of its quotes, and always has a name', () => {
    expect(attachment('a";x="%\r\n.mp4')).to.match(
      /^attachment; filename="[^"\\%;\r\n]*"(; filename\*=UTF-8''[A-Za-z0-9%._~-]+)?$/,
    );
    expect(attachment('///')).to.equal('attachment; filename="download"');
  });
});
