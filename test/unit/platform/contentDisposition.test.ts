import { expect } from 'chai';
import { attachment, plainFileName } from '../../../shared/platform/formats/contentDisposition.js';

describe('file names', () => {
  const names: readonly (readonly [string, string])[] = [
    ['video.mp4', 'video.mp4'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\videos\\summer.mov', 'summer.mov'],
    ['.htaccess', 'htaccess'],
    ['a\r\nSet-Cookie: x=1', 'aSet-Cookie x=1'],
    ['my "best" video?.mp4', 'my best video.mp4'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['naïve – 東京 💛.mp4', 'naïve – 東京 💛.mp4'],
    ['..', ''],
    ['', ''],
  ];
  for (const [given, plain] of names) {
    it(`${JSON.stringify(given)} becomes ${JSON.stringify(plain)}`, () => expect(plainFileName(given)).to.equal(plain));
  }

  it('keeps at most 255 characters, and cuts between characters', () => {
    expect(plainFileName('💛'.repeat(400))).to.equal('💛'.repeat(255));
  });
});

describe('Content-Disposition', () => {
  it('sends ASCII names as they are', () =>
    expect(attachment('video 1.mp4')).to.equal('attachment; filename="video 1.mp4"'));

  it('sends other names twice: encoded by RFC 8187, and as ASCII', () => {
    expect(attachment("café's (1)*.mp4")).to.equal(
      "attachment; filename=\"cafe's (1).mp4\"; filename*=UTF-8''caf%C3%A9%27s%20%281%29.mp4",
    );
    expect(attachment('東京.mp4')).to.equal("attachment; filename=__.mp4; filename*=UTF-8''%E6%9D%B1%E4%BA%AC.mp4");
  });

  it('cannot be injected into, and always has a file name', () => {
    expect(attachment('a";x="%\r\n.mp4')).to.match(
      /^attachment; filename=("[^"\\%;\r\n]*"|[^"\\%;\r\n ]*)(; filename\*=UTF-8''[A-Za-z0-9%._~-]+)?$/,
    );
    expect(attachment('///')).to.equal('attachment; filename=download');
  });
});
