import { needBox } from '../../shared/media/mp4/index.js';
import { mp4Box } from '../../shared/media/mp4/boxWriter.js';
import { boxesIn } from '../../shared/media/mp4/isoBox.js';

/** One initialisation segment made of those of video and audio, for files with segments of both. */
export function joinedInitialisation(video: Buffer, audio: Buffer): Buffer {
  const moov = needBox(video, video, 'moov');
  const content = boxesOf(video, 'moov').map((one) =>
    one.toString('latin1', 4, 8) === 'mvex'
      ? mp4Box('mvex', ...boxesOf(video, 'moov', 'mvex'), ...boxesOf(audio, 'moov', 'mvex'))
      : one,
  );
  const tracks = boxesOf(audio, 'moov').filter((one) => one.toString('latin1', 4, 8) === 'trak');
  return Buffer.concat([video.subarray(0, moov.start - 8), mp4Box('moov', ...content, ...tracks)]);
}

function boxesOf(init: Buffer, ...path: readonly string[]): Buffer[] {
  const { start, end } = needBox(init, init, ...path);
  return [...boxesIn(init, start, end)].map((one) => init.subarray(one.start - 8, one.end));
}
