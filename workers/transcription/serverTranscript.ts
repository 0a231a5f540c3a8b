import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Joi from 'joi';
import { longestCueText, type Cue } from '../../shared/caption/cue.js';
import { cleanCueText, escapeCueText } from '../../shared/caption/cueText.js';
import { shiftedCues } from '../../shared/caption/readCaptions.js';
import { speechCommand } from '../media/speechCommand.js';
import { PermanentJobError } from '../runtime/jobTypes.js';
import type { Transcribe, Transcript } from './transcript.js';

/** Servers take 25 MB: of 16 kHz and 16 bits, 13 minutes. A word at the end of a piece may be lost. */
const pieceSeconds = 600;
/** For one piece. */
const responseMs = 60 * 60_000;

interface Response {
  readonly language: string;
  readonly segments: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** `verbose_json` of the address: https://platform.openai.com/docs/api-reference/audio. */
const responseSchema = Joi.object<Response>({
  language: Joi.string().allow('', null).max(100).default(''),
  segments: Joi.array()
    .items(
      Joi.object({
        start: Joi.number().min(0).required(),
        end: Joi.number().min(0).required(),
        text: Joi.string().allow('').required(),
      }).unknown(),
    )
    .default([]),
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
      if (piece.cues.length > 0) cues.push(...shiftedCues(piece.cues, index * pieceSeconds * 1000));
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
  const text = await response.text();
  if (!response.ok) {
    const detail = `the transcription server responded ${response.status}: ${text.slice(0, 500)}`;
    const isOwnFault = response.status >= 400 && response.status < 500 && ![408, 429].includes(response.status);
    throw isOwnFault ? new PermanentJobError(detail) : new Error(detail);
  }
  return transcriptOf(text);
}

function transcriptOf(body: string): Transcript {
  const { value, error } = responseSchema.validate(JSON.parse(body), { convert: true });
  if (error) throw new PermanentJobError(`the response of the transcription server: ${error.message}`);
  const cues = value.segments.flatMap(({ start, end, text }) => {
    const cue = { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000), settings: '' };
    const clean = cleanCueText(escapeCueText(text.slice(0, longestCueText)));
    return clean !== '' && cue.endMs > cue.startMs ? [{ ...cue, text: clean }] : [];
  });
  return { language: value.language ?? '', cues };
}
