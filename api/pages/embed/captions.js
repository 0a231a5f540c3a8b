/*
 * Captions in the language that the viewer has chosen are also shown in the next video. If the viewer has switched captions off,
 * default captions are not shown.
 */
import { player, video } from './playerPage.js';
import { storeText, storedText } from './storage.js';

const key = 'captions-language';
/** Stored instead of a language. */
const off = 'off';
/** Events of media-chrome for a choice of the viewer. */
const choices = ['mediashowsubtitlesrequest', 'mediadisablesubtitlesrequest', 'mediatogglesubtitlesrequest'];

/** Call it before a playlist is loaded. */
export function rememberCaptions(hls) {
  const language = storedText(key);
  // Matches no captions, because none has an empty name.
  if (language !== null)
    hls.config.subtitlePreference = language === off ? { name: '' } : { lang: language, forced: false };
  // The timer runs after the listeners of media-chrome have changed the tracks.
  for (const choice of choices) player.addEventListener(choice, () => setTimeout(keep));
}

/** The track of the visible captions, or undefined. Filters by kind, because browsers may also report chapter tracks as showing. */
export function shownCaptions() {
  return [...video.textTracks].find(({ kind, mode }) => ['captions', 'subtitles'].includes(kind) && mode === 'showing');
}

function keep() {
  const shown = shownCaptions();
  storeText(key, shown ? shown.language || null : off);
}
