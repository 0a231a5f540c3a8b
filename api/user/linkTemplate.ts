import Joi, { type CustomHelpers, type StringSchema } from 'joi';
import { isLinkHost } from '../../shared/oauth/linkHosts.js';
import { reject, validationContextOf } from '../../shared/platform/validation.js';
import { documented } from '../http/documented.js';

/** Matches URLs that mail programs and `URL` parse alike, so that the host is the one that a reader sees. */
const plainAddress = /^[^\s\\<>"`\u0080-\uffff]+$/;

/** An http(s) URL with `${token}` and a host that is permitted for mailed links. */
function checkTemplate(value: string, helpers: CustomHelpers) {
  if (!plainAddress.test(value)) return reject(helpers, 'user.tokenTemplate');
  const address = value.includes('${token}') ? addressOf(value, 'token') : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password)
    return reject(helpers, 'user.tokenTemplate');
  // A token in the host name would leak to name servers.
  if (addressOf(value, 'other')?.host !== address.host) return reject(helpers, 'user.tokenTemplate');
  return isLinkHost(validationContextOf(helpers).config, address) ? value : reject(helpers, 'user.linkHost');
}

function addressOf(template: string, token: string): URL | undefined {
  const address = template.replaceAll('${token}', token);
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** The template of a mailed link; `docs/contract.md#choices-users`. */
export function linkTemplate(): StringSchema {
  return Joi.string()
    .trim()
    .max(2000)
    .custom(checkTemplate)
    .meta(
      documented({
        pattern: '^https?://[^/?#@$\\s\\\\<>"`\\u0080-\\uffff]+[/?#][^\\s\\\\<>"`\\u0080-\\uffff]*\\$\\{token\\}',
      }),
    );
}
