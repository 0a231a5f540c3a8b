import { MultiBar, Presets } from 'cli-progress';
import { readableLine } from './logLine.js';

/** A percentage that grows on the screen. */
export interface Progress {
  readonly show: (percent: number) => void;
  readonly end: () => void;
}

/** Where everything is printed: whole lines, above the bar where there is one. */
export interface Terminal {
  readonly print: (text: string) => void;
  /** A line about the start itself. */
  readonly say: (line: string) => void;
  progress(title: string): Progress;
}

/** A bar on a terminal, a line at every quarter elsewhere. */
export function createTerminal(stream: NodeJS.WriteStream, speaker = 'start'): Terminal {
  let bars: MultiBar | undefined;
  const print = (text: string): void => {
    if (bars) bars.log(`${text}\n`);
    else stream.write(`${text}\n`);
  };
  const say = (line: string): void => print(readableLine(speaker, line, stream.isTTY));
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
