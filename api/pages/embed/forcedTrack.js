const primary = (language) => language?.split('-', 1)[0].toLowerCase();
const isSame = (one, other) => one !== undefined && primary(one) === primary(other);

/**
 * The forced captions to show with an audio track: those in its language. With the original audio also others, if the language of one of
 * the two is not known, or the viewer prefers it. `tracks` and `audio` as hls.js has them; `audio` is undefined if there is one alone.
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
