/*
 * The seek picture shows what the chapter and the time beside it say in words, and its element in media-chrome has no text for it:
 * it is hidden from screen readers.
 */
import 'media-chrome/dist/media-time-range.js';

for (const range of document.querySelectorAll('media-time-range'))
  range.shadowRoot?.querySelector('media-preview-thumbnail')?.setAttribute('aria-hidden', 'true');
