import Joi from 'joi';

/** Accepts names below IANA's top-level domains. */
const domain = Joi.string().domain();

/** Whether a word after a dot can complete a domain name; words with non-ASCII characters always count. */
function isTopLevel(word: string): boolean {
  return !/^[a-z0-9-]*$/i.test(word) || domain.validate(`name.${word}`).error === undefined;
}

/**
 * Converts a name chosen by a user to text in which no mail program detects an address or a link, by inserting spaces. A user can
 * register another person's address, and the mail to that person must not contain links of the user's choice.
 */
export function plainName(name: string): string {
  return name
    .replace(/[@/\\:]/g, ' $& ')
    .replace(/\bwww\./gi, 'www . ')
    .replace(/[.\u3002\uff0e\uff61](?=([\p{L}\p{N}-]+))/gu, (point: string, word: string) =>
      isTopLevel(word) ? `${point} ` : point,
    )
    .replace(/\s+/g, ' ')
    .trim();
}
