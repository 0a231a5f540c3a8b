import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openFfmpegRunner } from '../../../workers/media/ffmpegRunner.js';
import { isMediaFailure, MediaError, MediaInterruptedError, type MediaCommand } from '../../../workers/media/runner.js';
import { children, runningTool } from '../../support/childProcesses.js';
import { eventually } from '../../support/eventually.js';

const runner = openFfmpegRunner({
  ffmpegPath: process.env['FFMPEG_PATH'] ?? 'ffmpeg',
  ffprobePath: process.env['FFPROBE_PATH'] ?? 'ffprobe',
});

describe('the media runner', function () {
  this.timeout(30_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runner-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const endless = (): MediaCommand => ({
    folder,
    inputs: [{ path: 'testsrc2=s=64x64:r=25', options: ['-re', '-f', 'lavfi'] }],
    outputs: [{ path: 'endless.mkv', options: ['-c:v', 'rawvideo', '-f', 'matroska'] }],
  });
  const run = { signal: new AbortController().signal, stallSeconds: 20 };

  it('writes a file, and reports its progress', async () => {
    const seen: number[] = [];
    await runner.convert(
      {
        folder,
        inputs: [{ path: 'testsrc2=s=64x64:r=25:d=1', options: ['-f', 'lavfi'] }],
        outputs: [{ path: 'a name with spaces & $signs.mkv', options: ['-c:v', 'ffv1', '-f', 'matroska'] }],
      },
      { ...run, onProgress: ({ frames }) => seen.push(frames) },
    );
    expect(await readdir(folder)).to.include('a name with spaces & $signs.mkv');
    expect(seen.at(-1)).to.equal(25);
  });

  it('reports the error output of the tool', async () => {
    await writeFile(join(folder, 'damaged.mp4'), 'no film');
    const command = { ...endless(), inputs: [{ path: 'file:damaged.mp4', options: ['-f', 'mov'] }] };
    const error = await runner.convert(command, run).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(MediaError).with.property('message').that.includes('moov atom not found');
  });

  it('reports a missing tool as an error of the machine, not of the media', async () => {
    const lost = openFfmpegRunner({ ffmpegPath: 'ffmpeg', ffprobePath: '/nowhere/ffprobe' });
    const error = await lost.inspect(['-version'], { ...run, onLine: () => {} }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(MediaError);
  });

  it('reports a folder that does not exist as an error of the machine', async () => {
    const lost = { ...endless(), folder: '/nowhere' };
    const error = await runner.convert(lost, { ...run }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(MediaError);
  });

  it('stops the tool when it is aborted, and leaves no process', async () => {
    const controller = new AbortController();
    const running = runner.convert(endless(), { ...run, signal: controller.signal });
    await runningTool();
    controller.abort(new Error('aborted by the test'));
    expect(await running.catch((error: Error) => error.message)).to.equal('aborted by the test');
    expect(await children()).to.deep.equal([]);
  });

  it('does not start a tool when it was aborted before', async () => {
    const error = await runner
      .convert(endless(), { ...run, signal: AbortSignal.abort(new Error('too late')) })
      .catch((thrown: Error) => thrown.message);
    expect(error).to.equal('too late');
  });

  it('stops a tool that makes no progress', async () => {
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const command = { ...endless(), inputs: [{ path: `file:${pipe}`, options: ['-f', 'mov'] }] };
    const error = await runner.convert(command, { ...run, stallSeconds: 1 }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(MediaError).with.property('message').that.includes('no progress');
    const silent = await runner
      .inspect(['-f', 'mov', `file:${pipe}`], { ...run, stallSeconds: 1, onLine: () => {} })
      .catch((thrown: unknown) => thrown);
    expect(silent).to.be.instanceOf(MediaError).with.property('message').that.includes('no progress');
    expect(await children()).to.deep.equal([]);
  });

  it('stops a tool that uses more processor time than it may', async () => {
    const error = await runner
      .convert(endless(), { ...run, maxProcessorSeconds: 0.2 })
      .catch((thrown: unknown) => thrown);
    expect(isMediaFailure(error), String(error)).to.equal(true);
    expect(error).to.have.property('message').that.includes('processor time');
    expect(await children()).to.deep.equal([]);
  });

  it('distinguishes a tool that was killed from one that failed', async () => {
    const running = runner.convert(endless(), run);
    process.kill(await runningTool(), 'SIGTERM');
    expect(await running.catch((thrown: unknown) => thrown)).to.be.instanceOf(MediaInterruptedError);
  });

  it('tells of the shutdown that follows where a tool was killed from outside', async () => {
    const shutdown = new AbortController();
    const running = runner.convert(endless(), { ...run, signal: shutdown.signal });
    process.kill(await runningTool(), 'SIGTERM');
    setTimeout(() => shutdown.abort(new Error('the process ends')), 100);
    expect(await running.catch((thrown: unknown) => thrown)).to.match(/the process ends/);
  });

  it('passes no secrets to its tools, and runs them with the lowest priority', async () => {
    process.env['SECRET_OF_OURS'] = 'secret';
    const controller = new AbortController();
    const running = runner.convert(endless(), { ...run, signal: controller.signal });
    const pid = await runningTool();
    // Empty until the new process has replaced the copy of this one.
    const environment = await eventually(async () => {
      const found = await readFile(`/proc/${pid}/environ`, 'utf8');
      expect(found).to.not.equal('');
      return found;
    });
    const priority = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[16];
    controller.abort(new Error('seen'));
    await running.catch(() => {});
    delete process.env['SECRET_OF_OURS'];
    expect(
      environment
        .split('\0')
        .map((pair) => pair.split('=')[0])
        // The shell that checks the parent adds the folder, which a tool can read anyway.
        .filter((name) => name !== '' && name !== 'PWD'),
    ).to.have.members(['PATH', 'LD_LIBRARY_PATH'].filter((name) => process.env[name]));
    expect(Number(priority)).to.be.at.least(15);
  });

  it('runs a tool with the priority that its run has', async () => {
    const controller = new AbortController();
    const running = runner.convert(endless(), { ...run, signal: controller.signal, niceness: 5 });
    const pid = await runningTool();
    const expected = Math.min(19, getPriority() + 5);
    await eventually(async () => {
      const status = await readFile(`/proc/${pid}/stat`, 'utf8');
      expect(Number(status.split(') ')[1]?.split(' ')[16])).to.equal(expected);
    });
    controller.abort(new Error('seen'));
    await running.catch(() => {});
  });

  it('stops an inspection when its reader throws', async () => {
    const error = await runner
      .inspect(['-f', 'lavfi', 'testsrc2=d=10000', '-show_frames', '-of', 'csv'], {
        ...run,
        onLine: () => {
          throw new Error('enough');
        },
      })
      .catch((thrown: Error) => thrown.message);
    expect(error).to.equal('enough');
    expect(await children()).to.deep.equal([]);
  });
});
