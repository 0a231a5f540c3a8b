import { expect } from 'chai';
import { attachment, namedFile, plainFileName } from '../../../shared/platform/formats/contentDisposition.js';

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
    ['🎬 Ferien 2024 👨\u200D👩\u200D👧.mp4', '🎬 Ferien 2024 👨\u200D👩\u200D👧.mp4'],
    ['👩🏽\u200D💻 🏳\uFE0F\u200D🌈 می\u200Cخواهم क्\u200Dष.mp4', '👩🏽\u200D💻 🏳\uFE0F\u200D🌈 می\u200Cخواهم क्\u200Dष.mp4'],
    ['\u200Dpass\u200Dword\u200C.e\u200Dxe\u200D', 'password.exe'],
    ['.\u200D./\u200D..\u200D', ''],
    ['ש\u200D\u202E\u200Dgpj.exe', 'שgpj.exe'],
    ['..', ''],
    ['', ''],
  ];
  for (const [given, plain] of names)
    it(`change from ${JSON.stringify(given)} to ${JSON.stringify(plain)}`, () =>
      expect(plainFileName(given)).to.equal(plain));

  it('have at most 255 characters, and are cut between characters', () => {
    expect(plainFileName('💛'.repeat(400))).to.equal('💛'.repeat(255));
    expect(plainFileName('👨\u200D'.repeat(400))).to.equal(`${'👨\u200D'.repeat(127)}👨`);
    expect(plainFileName('👨\u200D👩'.repeat(200))).to.equal('👨\u200D👩'.repeat(85));
  });
});

describe('the file name of a received Content-Disposition', () => {
  const extended = "UTF-8''Ferien%20%F0%9F%8E%AC.mp4";
  for (const [header, name] of [
    [`attachment; filename*=${extended}; filename="x.mp4"`, 'Ferien 🎬.mp4'],
    [`attachment; filename="x.mp4"; filename*=${extended}`, 'Ferien 🎬.mp4'],
    ["attachment; filename*=ISO-8859-1''f%E9e.mp4", 'fée.mp4'],
    ["attachment; filename*=UTF-8''%E0%A4; filename=x.mp4", 'x.mp4'],
    ["attachment; filename*=koi8-r''%C1.mp4; filename=x.mp4", 'x.mp4'],
    ["attachment; filename*=UTF-8''..%2F..%2Fa%0D%0Ab.mp4", 'ab.mp4'],
    [Buffer.from('attachment; filename="Ferien 🎬.mp4"').toString('latin1'), 'Ferien 🎬.mp4'],
    ['inline; FileName="fée\\ \\"1\\"; x.mp4"', 'fée 1; x.mp4'],
    ['attachment; filename=my film.mp4', 'my film.mp4'],
    ['attachment; filename="open', ''],
    ['attachment', ''],
    ['', ''],
  ] as const)
    it(`is ${JSON.stringify(name)} for ${header}`, () => expect(namedFile(header)).to.equal(name));
});

describe('Content-Disposition', () => {
  it('sends ASCII names unchanged', () =>
    expect(attachment('video 1.mp4')).to.equal('attachment; filename="video 1.mp4"'));

  it('sends other names twice, in the encoding of RFC 8187 and as ASCII', () => {
    expect(attachment("café's (1)*.mp4")).to.equal(
      "attachment; filename=\"cafe's (1).mp4\"; filename*=UTF-8''caf%C3%A9%27s%20%281%29.mp4",
    );
    expect(attachment('👨\u200D👩.mp4')).to.include("filename*=UTF-8''%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9.mp4");
    expect(attachment('東京.mp4')).to.equal("attachment; filename=__.mp4; filename*=UTF-8''%E6%9D%B1%E4%BA%AC.mp4");
  });

  it('resists injection and always has a file name', () => {
    expect(attachment('a";x="%\r\n.mp4')).to.match(
      /^attachment; filename=("[^"\\%;\r\n]*"|[^"\\%;\r\n ]*)(; filename\*=UTF-8''[A-Za-z0-9%._~-]+)?$/,
    );
    expect(attachment('///')).to.equal('attachment; filename=download');
  });
});
