import type { Messages } from '../platform/i18n.js';

/** Stream paths, and encoders that an external streaming server asks about. */
export const streamingMessages: Messages = {
  'streaming.pathTaken': {
    en: 'The stream path {{streamPath}} is already taken. Please choose another one.',
    it: 'Il percorso di trasmissione {{streamPath}} è già in uso. Scegline un altro.',
    es: 'La ruta de transmisión {{streamPath}} ya está ocupada. Elige otra.',
    fr: 'Le chemin de diffusion {{streamPath}} est déjà pris. Choisissez-en un autre.',
    pt: 'O caminho de transmissão {{streamPath}} já está ocupado. Escolha outro.',
  },
  'streaming.refused': {
    en: 'The encoder or the viewer is not allowed to do this.',
    it: 'L’encoder o lo spettatore non è autorizzato.',
    es: 'El codificador o el espectador no está autorizado.',
    fr: 'L’encodeur ou le spectateur n’y est pas autorisé.',
    pt: 'O codificador ou o espectador não está autorizado.',
  },
};
