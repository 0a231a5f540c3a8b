import Joi from 'joi';

/** Accepts names below the top-level domains of IANA. */
const domain = Joi.string().domain();

/** Whether a word after a point can make the text before it a domain name; words outside of ASCII always count. */
function isTopLevel(word: string): boolean {
  return !/^[a-z0-9-]*$/i.test(word) || domain.validate(`name.${word}`).error === undefined;
}

/**
 * A name that a user has chosen, as text in which no mail program finds an address or a link: a space is inserted where
 * one could begin. People register other people's addresses, and the mail must not carry links of their choice.
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
