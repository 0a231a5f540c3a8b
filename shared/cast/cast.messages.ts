import type { Messages } from '../platform/i18n.js';

/** Cast channels and streams. */
export const castMessages: Messages = {
  'cast.streamInProgram': {
    en: 'A program that is not over shows this stream: {{title}}.',
    it: 'Un programma non ancora concluso trasmette questo flusso: {{title}}.',
    es: 'Un programa que aún no ha terminado emite este flujo: {{title}}.',
    fr: 'Un programme qui n’est pas terminé diffuse ce flux : {{title}}.',
    pt: 'Um programa que ainda não terminou transmite este fluxo: {{title}}.',
  },
};
