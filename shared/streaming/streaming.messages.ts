import type { Messages } from '../platform/i18n.js';

/** Stream paths. */
export const streamingMessages: Messages = {
  'streaming.pathTaken': {
    en: 'The stream path {{streamPath}} is already taken. Please choose another one.',
    it: 'Il percorso di trasmissione {{streamPath}} è già in uso. Scegline un altro.',
    es: 'La ruta de transmisión {{streamPath}} ya está ocupada. Elige otra.',
    fr: 'Le chemin de diffusion {{streamPath}} est déjà pris. Choisissez-en un autre.',
    pt: 'O caminho de transmissão {{streamPath}} já está ocupado. Escolha outro.',
  },
};
