import { readFileSync, writeFileSync } from 'node:fs';
import { vttFile } from '../../shared/caption/vttFile.js';
import { detectTones } from './detectedTones.js';

/*
 * A transcription program: `node transcriber.js <input.wav> <output.vtt>`. It knows two words, a low tone and a high one.
 */
const [input = '', output = ''] = process.argv.slice(2);
const cues = detectTones(readFileSync(input)).map(({ startSeconds, endSeconds, word }) => {
  const times = { startMs: Math.round(startSeconds * 1000), endMs: Math.round(endSeconds * 1000) };
  return { ...times, text: word, settings: '' };
});
writeFileSync(output, vttFile(cues).replace('WEBVTT\n', 'WEBVTT\nKind: captions\nLanguage: en\n'));
