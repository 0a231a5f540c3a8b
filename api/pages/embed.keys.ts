import { html, type Html } from './html.js';

/** The message `embed.<key>` in the language of the page. */
export type PageText = (key: string) => string;

/** Step of the keys J and L, and of the seek buttons. */
export const jumpSeconds = 10;

/** A message key of an action, and the keyboard keys for it. */
type Row = readonly [does: string, ...keys: string[]];

/** A dialog with the player's keyboard keys, opened with `?`. `isVideo`: with a duration, not live. */
export function keysDialog(text: PageText, isVideo: boolean): Html {
  const rows: readonly Row[] = [
    ['keys.play', text('keys.space'), 'K'],
    ['keys.back', '←'],
    ['keys.forward', '→'],
    ['live.back', 'J'],
    ['skipBy', 'L'],
    ['keys.start', text('keys.home')],
    [isVideo ? 'keys.finish' : 'live.toLive', text('keys.end')],
    ...(isVideo ? videoRows : []),
    ['keys.louder', '↑'],
    ['keys.quieter', '↓'],
    ['keys.mute', 'M'],
    ['captions', 'C'],
    ['fullscreen', 'F'],
    ['pictureInPicture', 'P'],
    ['keys.title', '?'],
  ];
  return html`
    <dialog class="keys" data-control="keys" aria-labelledby="keys-title">
      <form method="dialog">
        <h2 id="keys-title">${text('keys.title')}</h2>
        <button type="submit">${text('keys.close')}</button>
      </form>
      <dl>
        ${rows.map(
          ([does, ...keys]) =>
            html`<div>
              <dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt>
              <dd>${text(does).replace('{seekOffset}', String(jumpSeconds))}</dd>
            </div>`,
        )}
      </dl>
    </dialog>
  `;
}

const videoRows: readonly Row[] = [
  ['keys.tenths', '0', '…', '9'],
  ['keys.slower', '<'],
  ['keys.faster', '>'],
];
