import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Joi, { type ObjectSchema } from 'joi';
import { CaptionFileError, longestCueText, mostCues, type Cue } from '../../shared/caption/cue.js';
import { cleanCueText, escapeCueText } from '../../shared/caption/cueText.js';
import { nextTurn, Turns } from '../../shared/platform/turns.js';
import { speechCommand } from '../media/speechCommand.js';
import { PermanentJobError } from '../runtime/jobTypes.js';
import type { Transcribe, Transcript } from './transcript.js';

/** Servers take 25 MB: of 16 kHz and 16 bits, 13 minutes. A word at the end of a piece may be lost. */
const pieceSeconds = 600;
/** For one piece. */
const responseMs = 60 * 60_000;
/** With the times of each word, that of a piece has 0.5 MB. */
const maxResponseBytes = 2 * 1024 ** 2;
/** So much text is read before other work of the process gets its turn. */
const sliceLength = 32 * 1024;
/** As much work as reading so much text. */
const segmentLength = 100;

interface Response {
  readonly language: string | null;
  readonly segments: readonly unknown[];
}

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `verbose_json` of the address: https://platform.openai.com/docs/api-reference/audio. */
const responseSchema = Joi.object<Response>({
  language: Joi.string().allow('', null).max(100).default(''),
  segments: Joi.array().max(mostCues).default([]),
})
  .unknown()
  .required();

const segmentSchema = Joi.object<Segment>({
  start: Joi.number().min(0).required(),
  end: Joi.number().min(0).required(),
  text: Joi.string().allow('').required(),
})
  .unknown()
  .required();

/** Servers that listen, in the form of `/v1/audio/transcriptions`. */
export interface TranscriptionServer {
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
}

/** By a server, which gets pieces of ten minutes as WAV files. */
export function serverTranscript(server: TranscriptionServer): Transcribe {
  return async (ctx, speech, signal) => {
    const { folder } = speech;
    await ctx.media.runner.convert(speechCommand(speech, 'piece-%03d.wav', pieceSeconds), { signal });
    const names = (await readdir(folder)).filter((name) => name.startsWith('piece-')).toSorted();
    const cues: Cue[] = [];
    let language = '';
    for (const [index, name] of names.entries()) {
      const piece = await ask(server, join(folder, name), signal);
      language ||= piece.language;
      const startMs = index * pieceSeconds * 1000;
      for (const cue of piece.cues) cues.push({ ...cue, startMs: cue.startMs + startMs, endMs: cue.endMs + startMs });
      if (cues.length > mostCues) throw new CaptionFileError('tooManyCues');
    }
    return { language, cues };
  };
}

async function ask({ url, key, model }: TranscriptionServer, path: string, signal: AbortSignal): Promise<Transcript> {
  const form = new FormData();
  form.append('file', await openAsBlob(path, { type: 'audio/wav' }), 'speech.wav');
  form.append('model', model);
  form.append('response_format', 'verbose_json');
  const response = await fetch(url, {
    method: 'POST',
    body: form,
    redirect: 'error',
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(responseMs)]),
  });
  const text = await boundedText(response.body);
  if (!response.ok) {
    const detail = `the transcription server responded ${response.status}: ${text.slice(0, 500)}`;
    const isOwnFault = response.status >= 400 && response.status < 500 && ![408, 429].includes(response.status);
    throw isOwnFault ? new PermanentJobError(detail) : new Error(detail);
  }
  return transcriptOf(text);
}

/** Throws PermanentJobError: the response is larger than that of a piece can be. */
async function boundedText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > maxResponseBytes)
      throw new PermanentJobError(`the transcription server sent more than ${maxResponseBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function transcriptOf(body: string): Promise<Transcript> {
  const { language, segments } = checked(responseSchema, JSON.parse(body));
  const cues: Cue[] = [];
  const turns = new Turns(sliceLength);
  for (const segment of segments) {
    const { start, end, text } = checked(segmentSchema, segment);
    if (turns.isDue(segmentLength + text.length)) await nextTurn();
    const cue = { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000), settings: '' };
    const clean = cleanCueText(escapeCueText(text.slice(0, longestCueText)));
    if (clean !== '' && cue.endMs > cue.startMs) cues.push({ ...cue, text: clean });
  }
  return { language: language ?? '', cues };
}

function checked<Value>(schema: ObjectSchema<Value>, given: unknown): Value {
  const { value, error } = schema.validate(given, { convert: true });
  if (error) throw new PermanentJobError(`the response of the transcription server: ${error.message}`);
  return value;
}
