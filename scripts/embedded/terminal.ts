import { MultiBar, Presets } from 'cli-progress';
import { readableLine } from './logLine.js';

/** The progress of one step, in percent. */
export interface Progress {
  readonly show: (percent: number) => void;
  readonly end: () => void;
}

/** Prints whole lines, above the progress bar if there is one. */
export interface Terminal {
  readonly print: (text: string) => void;
  /** Prints a line with the time and the command's name. */
  readonly say: (line: string) => void;
  progress(title: string): Progress;
}

/** Progress is a bar on a terminal; otherwise a line at every 25 percent. */
export function createTerminal(stream: NodeJS.WriteStream, command = 'start'): Terminal {
  let bars: MultiBar | undefined;
  const print = (text: string): void => {
    if (bars) bars.log(`${text}\n`);
    else stream.write(`${text}\n`);
  };
  const say = (line: string): void => print(readableLine(command, line, stream.isTTY));
  const bar = (title: string): Progress => {
    bars = new MultiBar(
      { format: `${title.padEnd(10)} {bar} {percentage} %`, stream, hideCursor: true, linewrap: null },
      Presets.shades_classic,
    );
    const one = bars.create(100, 0);
    return {
      show: (percent) => one.update(Math.round(percent)),
      end() {
        bars?.stop();
        bars = undefined;
      },
    };
  };
  return { print, say, progress: (title) => (stream.isTTY ? bar(title) : quarters(title, say)) };
}

function quarters(title: string, say: (line: string) => void): Progress {
  let shown = -1;
  return {
    show(percent) {
      const quarter = Math.floor(percent / 25) * 25;
      if (quarter > shown) say(`${title} ${quarter} %`);
      shown = Math.max(shown, quarter);
    },
    end() {},
  };
}
