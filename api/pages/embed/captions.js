/*
 * Captions that the viewer has chosen are shown in the next video too, if it has captions in this language. A viewer who has switched
 * captions off gets no default captions.
 */
import { player, video } from './playerPage.js';
import { keepText, keptText } from './storage.js';

const key = 'captions-language';
/** In place of a language. */
const off = 'off';
/** How media-chrome says that the viewer has chosen. */
const choices = ['mediashowsubtitlesrequest', 'mediadisablesubtitlesrequest', 'mediatogglesubtitlesrequest'];

/** To be called before a playlist is loaded. */
export function rememberCaptions(hls) {
  const language = keptText(key);
  // No captions have an empty name.
  if (language !== null)
    hls.config.subtitlePreference = language === off ? { name: '' } : { lang: language, forced: false };
  // media-chrome, which listens at the player too, has changed the tracks when the timer ends.
  for (const choice of choices) player.addEventListener(choice, () => setTimeout(keep));
}

/** The track of the captions that the viewer has chosen, or undefined. Chapters are a track that browsers call shown. */
export function shownCaptions() {
  return [...video.textTracks].find(({ kind, mode }) => ['captions', 'subtitles'].includes(kind) && mode === 'showing');
}

function keep() {
  const shown = shownCaptions();
  keepText(key, shown ? shown.language || null : off);
}
