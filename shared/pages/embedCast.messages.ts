import type { Messages } from '../platform/i18n.js';

/** The player page of cast channels. */
export const embedCastMessages: Messages = {
  'embed.cast.now': { en: 'Now', it: 'Ora', es: 'Ahora', fr: 'En ce moment', pt: 'Agora', de: 'Jetzt' },
  'embed.cast.next': {
    en: 'Next',
    it: 'A seguire',
    es: 'A continuación',
    fr: 'À suivre',
    pt: 'A seguir',
    de: 'Danach',
  },
  'embed.cast.break': { en: 'Break', it: 'Pausa', es: 'Pausa', fr: 'Pause', pt: 'Intervalo', de: 'Pause' },
  'embed.cast.nothing': {
    en: 'No program is scheduled.',
    it: 'Nessun programma previsto.',
    es: 'No hay nada programado.',
    fr: 'Aucun programme prévu.',
    pt: 'Nada está programado.',
    de: 'Keine Sendung geplant.',
  },
  'embed.cast.notFound': {
    en: 'This channel is not available',
    it: 'Questo canale non è disponibile',
    es: 'Este canal no está disponible',
    fr: 'Cette chaîne n’est pas disponible',
    pt: 'Este canal não está disponível',
    de: 'Dieser Kanal ist nicht verfügbar',
  },
  'embed.cast.notFoundText': {
    en: 'It may have been removed, or the link may be wrong.',
    it: 'Potrebbe essere stato rimosso, oppure il link è errato.',
    es: 'Puede que se haya eliminado, o que el enlace sea incorrecto.',
    fr: 'Elle a peut-être été supprimée, ou le lien est erroné.',
    pt: 'Pode ter sido removido, ou o link está errado.',
    de: 'Vielleicht wurde er entfernt, oder der Link ist falsch.',
  },
};
