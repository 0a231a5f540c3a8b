/* Captions that the viewer has chosen are shown in the next video too, where it has them in this language. */
import { player, video } from './page.js';
import { keepText, keptText } from './storage.js';

const key = 'captions-language';
/** How media-chrome says that the viewer has chosen. */
const choices = ['mediashowsubtitlesrequest', 'mediadisablesubtitlesrequest', 'mediatogglesubtitlesrequest'];

/** To be called before a playlist is loaded. */
export function rememberCaptions(hls) {
  const language = keptText(key);
  if (language !== null) hls.config.subtitlePreference = { lang: language };
  // media-chrome, which listens at the player too, has changed the tracks when the timer ends.
  for (const choice of choices) player.addEventListener(choice, () => setTimeout(keep));
}

function keep() {
  const shown = [...video.textTracks].find(({ kind, mode }) => kind !== 'metadata' && mode === 'showing');
  keepText(key, shown?.language || null);
}
