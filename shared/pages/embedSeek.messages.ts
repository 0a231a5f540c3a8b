import type { Messages } from '../platform/i18n.js';

/** Seeking in a video or a live event on the player page. */
export const embedSeekMessages: Messages = {
  'embed.skip': {
    en: 'Fast forward',
    it: 'Vai avanti',
    es: 'Avanzar',
    fr: 'Avancer',
    pt: 'Avançar',
    de: 'Vorspulen',
  },
  'embed.skipBy': {
    en: 'Forward {seekOffset} seconds',
    it: 'Avanti di {seekOffset} secondi',
    es: 'Avanzar {seekOffset} segundos',
    fr: 'Avancer de {seekOffset} secondes',
    pt: 'Avançar {seekOffset} segundos',
    de: '{seekOffset} Sekunden vor',
  },
  'embed.live.behind': {
    en: '{{time}} behind live',
    it: '{{time}} di ritardo sulla diretta',
    es: '{{time}} de retraso respecto al directo',
    fr: '{{time}} de retard sur le direct',
    pt: '{{time}} de atraso em relação ao vivo',
    de: '{{time}} hinter der Liveübertragung',
  },
  'embed.chapters': {
    en: 'Chapters',
    it: 'Capitoli',
    es: 'Capítulos',
    fr: 'Chapitres',
    pt: 'Capítulos',
    de: 'Kapitel',
  },
};
