import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { vttFile } from '../../shared/caption/vttFile.js';

/** A tone in a WAV file: its time, and whether it is low or high. */
export interface DetectedTone {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly word: 'low' | 'high';
}

/** The header that ffmpeg writes ends with this word and a length. */
const dataMark = Buffer.from('data');
const windowSeconds = 0.1;

/** The tones in a mono WAV file of 16 bits, below and above 600 Hz, detected by zero crossings. */
export function detectTones(wav: Buffer): DetectedTone[] {
  const sampleRate = wav.readUInt32LE(24);
  const start = wav.indexOf(dataMark) + 8;
  const samples = Math.floor((wav.length - start) / 2);
  const perWindow = Math.floor(sampleRate * windowSeconds);
  const tones: DetectedTone[] = [];
  for (let first = 0; first + perWindow <= samples; first += perWindow) {
    let [crossings, loudest, last] = [0, 0, 0];
    for (let index = first; index < first + perWindow; index += 1) {
      const value = wav.readInt16LE(start + index * 2);
      if (value >= 0 !== last >= 0) crossings += 1;
      loudest = Math.max(loudest, Math.abs(value));
      last = value;
    }
    if (loudest < 5_000) continue;
    const word = crossings / 2 / windowSeconds < 600 ? 'low' : 'high';
    const startSeconds = first / sampleRate;
    const before = tones.at(-1);
    const goesOn = before?.word === word && startSeconds - before.endSeconds < windowSeconds;
    if (goesOn) tones.pop();
    tones.push({
      word,
      startSeconds: goesOn ? before.startSeconds : startSeconds,
      endSeconds: startSeconds + windowSeconds,
    });
  }
  // A tone fades out at its end, at any pitch.
  return tones.filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds > 1.5 * windowSeconds);
}

/** A transcription program: `node transcriber.js <input.wav> <output.vtt>`. It knows two words, a low tone and a high one. */
function transcribe([input = '', output = '']: readonly string[]): void {
  const cues = detectTones(readFileSync(input)).map(({ startSeconds, endSeconds, word }) => {
    const times = { startMs: Math.round(startSeconds * 1000), endMs: Math.round(endSeconds * 1000) };
    return { ...times, text: word, settings: '' };
  });
  writeFileSync(output, vttFile(cues).replace('WEBVTT\n', 'WEBVTT\nKind: captions\nLanguage: en\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) transcribe(process.argv.slice(2));
