import Joi, { type ObjectSchema, type Schema } from 'joi';
import { NetworkList } from './formats/network.js';

/** Validated environment variables by name. */
// oxlint-disable-next-line typescript/no-explicit-any -- each has the type that its schema gives it
export type Environment = Readonly<Record<string, any>>;

/** The settings of one part of the service. `shared/settings.ts` composes all parts. */
export interface Settings<Members extends object> {
  /** Every environment variable with its form and its default. */
  readonly variables: ObjectSchema;
  /** The members of `Config` derived from these variables. */
  readonly configOf: (environment: Environment) => Members;
}

/**
 * Minimum length of a secret that an operator chooses, in characters. Correct secrets are accepted after any number of wrong
 * ones.
 */
export const minSecretLength = 16;

/**
 * The variables of one group of `docs/settings.md`. Each has a description. The tag `must` marks variables that every deployment
 * sets, `choose` those that most deployments decide on; all others are for experts.
 */
export function settingGroup<Variables extends Readonly<Record<string, Schema>>>(
  title: string,
  variables: Variables,
): Variables {
  const grouped = Object.entries(variables).map(([name, schema]) => [name, schema.note(title)]);
  return Object.fromEntries(grouped) as Variables;
}

/** Schemas that many variables share. */
export const variable = {
  text: Joi.string().trim(),
  secret: Joi.string().trim().min(minSecretLength),
  integer: Joi.number().integer(),
  word: Joi.string()
    .trim()
    .pattern(/^[A-Za-z0-9][A-Za-z0-9-]*$/),
  webAddress: Joi.string()
    .trim()
    .uri({ scheme: ['http', 'https'] }),
  /** Addresses and networks, separated by commas. */
  networks: Joi.string()
    .trim()
    .allow('')
    .messages({ 'any.invalid': '{#label} must be addresses and networks: 192.0.2.1, 10.0.0.0/8' })
    .custom((hosts: string, { error }) => (isNetworkList(hosts) ? hosts : error('any.invalid'))),
} as const;

function isNetworkList(hosts: string): boolean {
  try {
    new NetworkList(commaSeparated(hosts));
    return true;
  } catch {
    return false;
  }
}

/** The entries of a comma-separated list, without blank ones. */
export function commaSeparated(value: unknown): string[] {
  return String(value)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
