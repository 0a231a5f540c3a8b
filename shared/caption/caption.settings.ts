import Joi from 'joi';
import { settingGroup, variable, type Settings } from '../platform/settingVariables.js';

const { text, webAddress } = variable;

/** What writes down what is said: a program of this machine, or a server. */
export type TranscriptionConfig =
  | {
      /** The program and its arguments; `{input}` is a WAV file, `{output}` the WebVTT file that it writes. */
      readonly command: readonly string[];
    }
  | {
      /** Address of `/v1/audio/transcriptions` of a server. */
      readonly url: string;
      readonly key: string | null;
      readonly model: string;
    };

declare module '../platform/config.js' {
  interface Config {
    /** Null: nothing is transcribed. */
    readonly transcription: TranscriptionConfig | null;
  }
}

export const captionSettings: Settings<{ transcription: TranscriptionConfig | null }> = {
  variables: Joi.object(
    settingGroup('Automatic captions', {
      TRANSCRIBE_COMMAND: text
        .tag('choose')
        .description(
          'program that transcribes speech: `/opt/listen --model m {input} {output}`. It reads a WAV file and writes a WebVTT file',
        ),
      TRANSCRIBE_URL: webAddress.description('address of a server with the interface of `/v1/audio/transcriptions`'),
      TRANSCRIBE_KEY: text.description('API key of that server'),
      TRANSCRIBE_MODEL: text.default('whisper-1').description('model of that server'),
    }),
  ).nand('TRANSCRIBE_COMMAND', 'TRANSCRIBE_URL'),
  configOf: (env) => ({ transcription: transcriptionOf(env) }),
};

type Environment = Parameters<(typeof captionSettings)['configOf']>[0];

function transcriptionOf(env: Environment): TranscriptionConfig | null {
  if (env['TRANSCRIBE_COMMAND']) return { command: commandOf(env['TRANSCRIBE_COMMAND']) };
  if (!env['TRANSCRIBE_URL']) return null;
  return { url: env['TRANSCRIBE_URL'], key: env['TRANSCRIBE_KEY'] ?? null, model: env['TRANSCRIBE_MODEL'] };
}

/** Words separated by spaces. A command that does not say where its files go gets them as its last words. */
function commandOf(line: string): string[] {
  const words = line.split(/\s+/).filter(Boolean);
  const added = ['{input}', '{output}'].filter((place) => !line.includes(place));
  return [...words, ...added];
}
