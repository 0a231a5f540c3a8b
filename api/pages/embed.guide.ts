import { html, type Html } from './html.js';

/**
 * What a channel shows now, and what is next. The script of the page fills it in: the times are those of the viewer's time
 * zone. Screen readers read the current program when it changes.
 */
export function guideOf({ now, next }: Readonly<Record<'now' | 'next', string>>): Html {
  return html`
    <div class="guide">
      <p role="status" aria-atomic="true">
        <span class="label">${now}</span> <span class="program" data-control="current"></span>
        <span data-control="currentTimes"></span>
      </p>
      <progress max="1" value="0" aria-hidden="true" data-control="progress" hidden></progress>
      <p data-control="nextProgram" hidden>
        <span class="label">${next}</span> <span class="program" data-control="next"></span>
        <span data-control="nextTime"></span>
      </p>
    </div>
  `;
}
