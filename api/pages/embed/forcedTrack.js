const primary = (language) => language?.split('-', 1)[0].toLowerCase();
const isSame = (first, second) => first !== undefined && primary(first) === primary(second);

/**
 * The forced captions for an audio track: captions in its language. With the original audio also captions in a language that the
 * viewer prefers, or any if the language of audio or captions is unknown. `tracks`, `audio`: objects of hls.js; `audio` is
 * undefined if there is only one.
 */
export function forcedTrackFor(tracks, audio, preferredLanguages) {
  const forced = tracks.filter((track) => track.forced);
  const inLanguage = (language) => forced.find(({ lang }) => isSame(language, lang));
  const isOriginal = audio === undefined || audio.default;
  const language = audio?.lang || undefined;
  if (language !== undefined && inLanguage(language)) return inLanguage(language);
  if (!isOriginal) return undefined;
  const isUnknown = ({ lang }) => !lang;
  const preferred = preferredLanguages.map(inLanguage).find((track) => track !== undefined);
  return preferred ?? forced.find((track) => language === undefined || isUnknown(track));
}
