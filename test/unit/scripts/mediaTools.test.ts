import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findMediaTools } from '../../../scripts/embedded/mediaTools.js';

const encoders = 'echo " V....D libx264  H.264"; echo " A....D aac  AAC"';

describe('media tools', () => {
  let folder: string;
  let printed: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-tools-'));
    printed = [];
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const find = (env: Record<string, string> = {}) =>
    findMediaTools({ PATH: folder, ...env }, (line) => printed.push(line));

  async function program(name: string, script: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  }

  async function errorOf(env: Record<string, string> = {}): Promise<string> {
    try {
      await find(env);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('no error');
  }

  it('are found on the PATH, both in one folder', async () => {
    const ffmpegPath = await program('ffmpeg', `echo "ffmpeg version 6.1.1"; ${encoders}`);
    const ffprobePath = await program('ffprobe', 'echo ok');
    expect(await find()).to.deep.equal({ ffmpegPath, ffprobePath });
    expect(printed).to.deep.equal([]);
  });

  it('may be a development version, which has no version number', async () => {
    await program('ffmpeg', `echo "ffmpeg version N-117-gabcdef"; ${encoders}`);
    await program('ffprobe', 'echo ok');
    expect(await find()).to.have.property('ffmpegPath', join(folder, 'ffmpeg'));
  });

  it('are an error if too old, without an encoder, or broken', async () => {
    await program('ffprobe', 'echo ok');
    await program('ffmpeg', `echo "ffmpeg version 4.3.6-0+deb11u1"; ${encoders}`);
    expect(await errorOf()).to.match(/is ffmpeg 4\.3\.6-0\+deb11u1, and 4\.4 or later is needed/);
    await program('ffmpeg', 'echo "ffmpeg version n7.1"; echo " A....D aac  AAC"');
    expect(await errorOf()).to.match(/has no encoder libx264/);
    await program('ffmpeg', 'exit 127');
    expect(await errorOf()).to.match(/ffmpeg does not run/);
  });

  it('are an error without ffprobe', async () => {
    await program('ffmpeg', `echo "ffmpeg version 6.1.1"; ${encoders}`);
    expect(await errorOf()).to.match(/no ffprobe beside .*FFPROBE_PATH/);
  });

  it('are installed by the package manager if it needs no question, which is printed', async () => {
    await program('sudo', 'case "$1 $2" in "-n true") exit 0;; esac; shift; exec "$@"');
    await program(
      'apt-get',
      `echo "$@" >> ${folder}/asked
       [ "$1" = install ] || exit 0
       printf '#!/bin/sh\\necho "ffmpeg version 5.1.9"; ${encoders}\\n' > ${folder}/ffmpeg
       printf '#!/bin/sh\\necho ok\\n' > ${folder}/ffprobe
       /bin/chmod 755 ${folder}/ffmpeg ${folder}/ffprobe`,
    );
    expect(await find()).to.have.property('ffmpegPath', join(folder, 'ffmpeg'));
    expect(printed).to.deep.equal(['ffmpeg is missing: installing it with apt-get ...']);
    expect(await readFile(join(folder, 'asked'), 'utf8')).to.equal(
      'update\ninstall -y --no-install-recommends ffmpeg\n',
    );
  });

  it('are an error with the command to run if the package manager fails', async () => {
    await program('sudo', 'exit 1');
    await program('apk', 'echo "ERROR: no network" >&2; exit 1');
    expect(await errorOf()).to.match(
      /^ffmpeg (is missing|could not be installed \(ERROR: no network\)); run: (sudo -n )?apk add --no-cache ffmpeg$/,
    );
  });

  it('are an error if there is no known package manager', async () => {
    expect(await errorOf()).to.match(/^ffmpeg is missing: install it .*FFMPEG_PATH/);
  });
});
