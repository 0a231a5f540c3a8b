import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Joi, { type ObjectSchema } from 'joi';
import { CaptionFileError, maxCueText, maxCues, type Cue } from '../../shared/caption/cue.js';
import { cleanCueText, escapeCueText } from '../../shared/caption/cueText.js';
import { storePieceOfContent, transcribedPiece } from '../../shared/caption/transcriptPiece.service.js';
import { Tunable } from '../../shared/platform/tunable.js';
import { yieldToEventLoop, TimeSlices } from '../../shared/platform/timeSlices.js';
import { speechCommand } from '../media/index.js';
import { withTimeLimit } from '../../shared/platform/withTimeout.js';
import { PermanentJobError } from '../runtime/jobTypes.js';
import type { Transcribe, Transcript } from './transcript.js';
import { sendFileForm } from './transcriptionRequest.js';

/** Servers accept 25 MB, which is 13 minutes at 16 kHz and 16 bits. A word at the end of a piece may be lost. */
export const transcribedPieceSeconds = new Tunable(600);
/** Maximum time until the response for one piece. */
export const transcriptionSeconds = new Tunable(3600);
/** Length of text that is processed in one iteration of the event loop. */
const sliceLength = 32 * 1024;
/** The processing of a segment costs as much as text of this length. */
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

/** The response format `verbose_json`: https://platform.openai.com/docs/api-reference/audio. */
const responseSchema = Joi.object<Response>({
  language: Joi.string().allow('', null).max(100).default(''),
  segments: Joi.array().max(maxCues).default([]),
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

/** A transcription server with the API of `/v1/audio/transcriptions`. */
export interface TranscriptionServer {
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
}

/**
 * Transcribes with a server, which receives pieces of ten minutes as WAV files. Results are kept until the last one, so that
 * another attempt continues after them.
 */
export function serverTranscript(server: TranscriptionServer): Transcribe {
  return async (ctx, { contentId, speech, signal }) => {
    const { folder } = speech;
    const pieceSeconds = ctx.config.limit(transcribedPieceSeconds);
    await ctx.media.runner.convert(speechCommand(speech, 'piece-%03d.wav', pieceSeconds), { signal });
    const names = (await readdir(folder)).filter((name) => name.startsWith('piece-')).toSorted();
    const cues: Cue[] = [];
    let language = '';
    for (const [index, name] of names.entries()) {
      const key = { contentId, piece: index, pieceSeconds };
      const known = await transcribedPiece(ctx, key);
      const request = (limited: AbortSignal) => ask(server, join(folder, name), limited);
      const piece = known ?? (await withTimeLimit(signal, ctx.config.limit(transcriptionSeconds) * 1000, request));
      if (!known) await storePieceOfContent(ctx, key, piece);
      language ||= piece.language;
      const startMs = index * pieceSeconds * 1000;
      for (const cue of piece.cues) cues.push({ ...cue, startMs: cue.startMs + startMs, endMs: cue.endMs + startMs });
      if (cues.length > maxCues) throw new CaptionFileError('tooManyCues');
    }
    return { language, cues };
  };
}

async function ask({ url, key, model }: TranscriptionServer, path: string, signal: AbortSignal): Promise<Transcript> {
  const { status, text } = await sendFileForm(
    {
      ...{ url, path, fields: { model, response_format: 'verbose_json' } },
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
    },
    signal,
  );
  if (status < 200 || status >= 300) {
    const detail = `the transcription server responded ${status}: ${text.slice(0, 500)}`;
    const isOwnFault = status >= 400 && status < 500 && ![408, 429].includes(status);
    throw isOwnFault ? new PermanentJobError(detail) : new Error(detail);
  }
  return transcriptOf(text);
}

async function transcriptOf(body: string): Promise<Transcript> {
  const { language, segments } = checked(responseSchema, JSON.parse(body));
  const cues: Cue[] = [];
  const slices = new TimeSlices(sliceLength);
  for (const segment of segments) {
    const { start, end, text } = checked(segmentSchema, segment);
    if (slices.isDue(segmentLength + text.length)) await yieldToEventLoop();
    const cue = { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000), settings: '' };
    const clean = cleanCueText(escapeCueText(text.slice(0, maxCueText)));
    if (clean !== '' && cue.endMs > cue.startMs) cues.push({ ...cue, text: clean });
  }
  return { language: language ?? '', cues };
}

function checked<Value>(schema: ObjectSchema<Value>, received: unknown): Value {
  const { value, error } = schema.validate(received, { convert: true });
  if (error) throw new PermanentJobError(`the response of the transcription server: ${error.message}`);
  return value;
}
