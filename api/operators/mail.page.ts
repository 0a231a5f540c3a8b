import type { StoredMail } from '../../shared/platform/mail/mailFiles.js';
import { html, type Html } from '../pages/html.js';
import { htmlDocument } from '../pages/htmlDocument.js';

/** Values of both pages. */
export interface MailFrame {
  /** Path of the list of mails. */
  readonly root: string;
  /** Nonce of the only style element that the Content-Security-Policy allows. */
  readonly nonce: string;
}

/** The mails of one page, newest first. */
export interface MailList extends MailFrame {
  readonly mails: readonly StoredMail[];
  readonly totalCount: number;
  readonly pageIndex: number;
  readonly pageCount: number;
}

export function mailListPage({ mails, totalCount, pageIndex, pageCount, ...frame }: MailList): string {
  const rows = mails.map(
    (mail) => html`
      <li>
        <a href="${frame.root}/${mail.name}">
          <span class="subject">${mail.subject}</span>
          <span class="to">${mail.to}</span>
          ${moment(mail)}
        </a>
      </li>
    `,
  );
  const older = pageIndex + 1 < pageCount ? html`<a href="${frame.root}?page=${pageIndex + 1}">Older</a>` : html``;
  const newer = pageIndex > 0 ? html`<a href="${frame.root}?page=${pageIndex - 1}">Newer</a>` : html``;
  return documentOf(
    frame,
    'Mails',
    html`
      <h1>Mails</h1>
      <p class="note">
        No SMTP server is set: mails are stored here and not sent.
        ${totalCount === 0 ? 'There are no mails yet.' : html``}
      </p>
      <ul>
        ${rows}
      </ul>
      <nav>${newer}${older}</nav>
    `,
  );
}

export function mailPage({ mail, ...frame }: MailFrame & { readonly mail: StoredMail }): string {
  return documentOf(
    frame,
    mail.subject,
    html`
      <nav><a href="${frame.root}">All mails</a></nav>
      <h1>${mail.subject}</h1>
      <p class="note">To ${mail.to}, from ${mail.from}, ${moment(mail)}</p>
      <pre>${withLinks(mail.text)}</pre>
    `,
  );
}

function moment({ sentAt }: StoredMail): Html {
  const iso = Number.isNaN(sentAt.getTime()) ? '' : sentAt.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** The escaped text, with web addresses as links that send no referrer. */
function withLinks(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((piece, index) =>
      index % 2 === 1
        ? html`<a href="${piece}" rel="noopener noreferrer nofollow" target="_blank">${piece}</a>`
        : html`${piece}`,
    );
}

function documentOf({ nonce }: MailFrame, title: string, body: Html): string {
  return htmlDocument({
    ...{ language: 'en', title, body, colorScheme: 'light dark' },
    head: html`
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <style nonce="${nonce}">
        body {
          font:
            16px/1.5 system-ui,
            sans-serif;
          max-width: 52rem;
          margin: 2rem auto;
          padding: 0 1rem;
        }
        h1 {
          font-size: 1.4rem;
          overflow-wrap: anywhere;
        }
        .note,
        .to,
        time {
          color: color-mix(in srgb, currentColor 65%, transparent);
        }
        ul {
          list-style: none;
          padding: 0;
        }
        li {
          border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent);
        }
        li a {
          display: flex;
          flex-wrap: wrap;
          gap: 0 1rem;
          padding: 0.6rem 0;
          color: inherit;
          text-decoration: none;
        }
        .subject {
          flex: 1 1 18rem;
          font-weight: 600;
          overflow-wrap: anywhere;
        }
        nav a {
          margin-right: 1rem;
        }
        pre {
          font: inherit;
          white-space: pre-wrap;
          overflow-wrap: anywhere;
          padding: 1rem;
          border: 1px solid color-mix(in srgb, currentColor 15%, transparent);
          border-radius: 0.5rem;
        }
      </style>
    `,
  });
}
