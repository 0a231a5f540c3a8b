import { isAdobeResponse, type AdobeChallenges } from './adobeChallenge.js';
import { withoutTrailing } from '../../shared/platform/formats/trailing.js';

/** The credentials that an encoder has sent. */
export type Credentials =
  | { readonly kind: 'query'; readonly user: string; readonly password: string }
  | {
      readonly kind: 'adobe';
      readonly user: string;
      /** Whether the encoder knows this password; compares in constant time. */
      check(password: string): boolean;
    }
  | { readonly kind: 'none' };

/** A name followed by parameters: `live?authmod=adobe&user=alice`. */
export interface NameWithParameters {
  readonly name: string;
  /** Undecoded values. The last of several values counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

const maxName = 256;
const maxParameters = 16;
/** Maximum length including all parameters. */
const maxText = 4096;

/**
 * Separates the name of an application or stream from its parameters. Encoders append a second query with another `?`. Removes
 * slashes around the name. Null if the name is empty, contains control characters, or if name or text is too long.
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

/** Reads `user` and `pass` of a query. Only percent-encoding is decoded; a plus sign is unchanged. */
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

/** The next step after a `connect` to the application `live`. */
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
