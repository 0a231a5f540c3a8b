import Joi from 'joi';
import { settingGroup, variable, type Settings } from '../platform/settingVariables.js';

const { text, webAddress } = variable;

/** The transcription of speech: a program on this machine, or a server. */
export type TranscriptionConfig =
  | {
      /** The program and its arguments; `{input}` is a WAV file, `{output}` the WebVTT file that it writes. */
      readonly command: readonly string[];
    }
  | {
      /** The server's address of `/v1/audio/transcriptions`. */
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
          'command that transcribes speech, such as `/opt/listen --model m {input} {output}`. It reads a WAV file and writes a WebVTT file',
        ),
      TRANSCRIBE_URL: webAddress.description(
        'address of a server with the OpenAI interface `/v1/audio/transcriptions`',
      ),
      TRANSCRIBE_KEY: text.description('API key for `TRANSCRIBE_URL`'),
      TRANSCRIBE_MODEL: text.default('whisper-1').description('model that `TRANSCRIBE_URL` uses'),
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

/** Splits the command at spaces. `{input}` and `{output}` are appended if the command does not contain them. */
function commandOf(line: string): string[] {
  const words = line.split(/\s+/).filter(Boolean);
  const added = ['{input}', '{output}'].filter((place) => !line.includes(place));
  return [...words, ...added];
}
