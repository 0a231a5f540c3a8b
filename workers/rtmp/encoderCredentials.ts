import { isAdobeResponse, type AdobeChallenges } from './adobeChallenge.js';
import { withoutTrailing } from '../../shared/platform/formats/trailing.js';

/** What an encoder has sent to prove who publishes. */
export type Credentials =
  | { readonly kind: 'query'; readonly user: string; readonly password: string }
  | {
      readonly kind: 'adobe';
      readonly user: string;
      /** Whether the encoder knows this password; compares in constant time. */
      check(password: string): boolean;
    }
  | { readonly kind: 'none' };

/** A name with parameters behind it: `live?authmod=adobe&user=alice`. */
export interface NameWithParameters {
  readonly name: string;
  /** As sent, without decoding. The last of several values counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

const maxName = 256;
const maxParameters = 16;
/** With all parameters. */
const maxText = 4096;

/**
 * Divides the name of an application or a stream from its parameters. Encoders append a second query with `?` again. Slashes
 * around the name are dropped. Null if the name is empty, contains control characters, or if name or text are too long.
 */
export function readName(text: string): NameWithParameters | null {
  if (text.length > maxText) return null;
  const [first = '', ...pairs] = text.split(/[?&]/, 1 + maxParameters);
  const name = withoutTrailing(first.replace(/^\/+/, ''), '/');
  if (name === '' || name.length > maxName || /\p{Cc}/u.test(name)) return null;
  const parameters = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at > 0) parameters.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return { name, parameters };
}

/** `user` and `pass` of a query. A plus is a plus; only percent signs are decoded. */
export function queryCredentials(parameters: NameWithParameters['parameters']): Credentials {
  const user = parameters.get('user');
  const password = parameters.get('pass');
  if (!user || !password) return { kind: 'none' };
  return { kind: 'query', user: decoded(user), password: decoded(password) };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** What `connect` of an application with a challenge leads to. */
export type ChallengeStep = 'need authentication' | { readonly challengeFor: string } | Credentials;

/** An encoder that responds to an unknown, old or used challenge gets a new one. */
export function readChallengeStep(
  parameters: NameWithParameters['parameters'],
  challenges: AdobeChallenges,
): ChallengeStep {
  if (parameters.get('authmod') !== 'adobe') {
    const credentials = queryCredentials(parameters);
    return credentials.kind === 'none' ? 'need authentication' : credentials;
  }
  const user = parameters.get('user');
  if (!user || user.length > maxName) return 'need authentication';
  const response = parameters.get('response');
  const challenge = parameters.get('challenge');
  if (response === undefined || challenge === undefined) return { challengeFor: user };
  const answer = challenges.accept({ user, challenge, opaque: parameters.get('opaque') ?? '' });
  if (!answer) return { challengeFor: user };
  return { kind: 'adobe', user: decoded(user), check: (password) => isAdobeResponse(response, answer, password) };
}
