import { setTimeout as sleep } from 'node:timers/promises';
import type { BoxItem } from '../../../client/index.js';
import { castDelaySeconds } from '../../../shared/cast/playout.service.js';
import type { Config } from '../../../shared/platform/config.js';
import { onRunningStart } from '../runningStart.js';
import { sampleClips } from '../../../scripts/sample/sampleClip.js';
import { uploadedClip, type DemoRun } from '../../../scripts/sample/uploadedClip.js';
import { demoChannel, fillTenMinutes, timetable, type TimetableProgram } from './channel.js';
import { drawTimetable } from './drawnTimetable.js';

/** Maximum number of programs in the table: on a terminal, and in other output. */
const rows = 10;
const printedRows = 40;
const readEveryMs = 10_000;

/**
 * `npm run demo:cast`: programs sample clips on a cast channel of the demo user, on the running `npm start`, for ten minutes, and
 * draws its timetable until the last program is over, or until Ctrl-C. The channel continues without this command.
 */
async function demonstrate(run: DemoRun): Promise<string> {
  const { config, terminal, signal } = run;
  const clips: BoxItem[] = [];
  for (const clip of sampleClips) clips.push(await uploadedClip(run, clip, 'COMPLETE'));
  const channelId = await demoChannel(run);
  await fillTenMinutes(run, channelId, clips);
  terminal.print(whereToWatch(config, channelId));
  const show = process.stdout.isTTY ? redrawn(process.stdout) : linesOf(terminal.print);
  let programs: TimetableProgram[] = [];
  let readAt = -readEveryMs;
  do {
    if (performance.now() - readAt >= readEveryMs) {
      programs = await timetable(run, channelId);
      readAt = performance.now();
    }
    show(programs);
    await sleep(1000 - (Date.now() % 1000), undefined, { signal });
  } while ((programs.at(-1)?.endsAt ?? 0) > Date.now());
  return 'The last program is over: the channel shows its slate. Run npm run demo:cast again for more.';
}

function whereToWatch({ service: { publicUrl }, limit }: Config, channelId: string): string {
  const rowsOf: readonly (readonly [string, string])[] = [
    ['Watch at', `${publicUrl}/embed/?cast=${channelId}`],
    ['VLC, Kodi', `${publicUrl}/api/public/cast/channels.m3u`],
    ['Guide', `${publicUrl}/api/public/cast/channel/${channelId}/epg.xml`],
  ];
  const delaySeconds = limit(castDelaySeconds);
  const delay = `  Viewers see the programs ${delaySeconds} to ${delaySeconds + 20} seconds later. The channel continues after Ctrl-C.`;
  return ['', ...rowsOf.map(([label, address]) => `  ${label.padEnd(12)}${address}`), '', delay, ''].join('\n');
}

type Show = (programs: readonly TimetableProgram[]) => void;

/** Without these, lines longer than the terminal would wrap, and the next table would be drawn in the wrong place. */
const [withoutWrapping, withWrapping] = ['\u001B[?7l', '\u001B[?7h'];

/** Redraws the timetable in place every second. */
function redrawn(stream: NodeJS.WriteStream): Show {
  let drawn = 0;
  return (programs) => {
    const view = {
      programs,
      now: Date.now(),
      rows: Math.min(rows, stream.rows - 3),
      width: stream.columns,
      colours: true,
    };
    const lines = drawTimetable(view).map((line) => `\u001B[2K  ${line}`);
    const back = drawn > 0 ? `\u001B[${drawn}F` : '';
    // Clears the rest of a longer previous table.
    stream.write(`${back}${withoutWrapping}${lines.join('\n')}\n${withWrapping}\u001B[0J`);
    drawn = lines.length;
  };
}

/** If the output is not a terminal: prints the table once, then a line for each program that begins. */
function linesOf(print: (text: string) => void): Show {
  let shown: string | undefined;
  return (programs) => {
    const now = Date.now();
    const lines = drawTimetable({ programs, now, rows: printedRows, width: 100, colours: false });
    const current = programs.find(({ startsAt, endsAt }) => startsAt <= now && now < endsAt);
    const key = String(current?.startsAt);
    if (shown === undefined) print(lines.map((line) => `  ${line}`).join('\n'));
    else if (key !== shown) print(`  ${lines.find((line) => line.startsWith('▶')) ?? ''}`);
    shown = key;
  };
}

await onRunningStart(demonstrate);
