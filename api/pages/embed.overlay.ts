import { html, type Html } from './html.js';

/** The overlay on the poster while a live event or a channel cannot be played. The page's script fills it in. */
export function overlayOf(publisher: string, more: Html = html``): Html {
  return html`
    <section class="overlay" data-control="overlay" hidden>
      <h1 data-control="title"></h1>
      <p class="by">${publisher}</p>
      <p role="status" data-control="overlayText"></p>
      ${more}
    </section>
  `;
}
