/*
 * The preview image of the seek bar is hidden from screen readers: chapter and time are next to it as text, and the element of
 * media-chrome has no label.
 */
import 'media-chrome/dist/media-time-range.js';

for (const range of document.querySelectorAll('media-time-range'))
  range.shadowRoot?.querySelector('media-preview-thumbnail')?.setAttribute('aria-hidden', 'true');
