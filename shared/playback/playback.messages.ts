import type { Messages } from '../platform/i18n.js';

/** Messages of play requests, and errors of playback addresses. */
export const playbackMessages: Messages = {
  'playback.notReady': {
    en: 'This content is still being prepared. Please try again in a moment.',
    it: 'Questo contenuto è ancora in preparazione. Riprova tra poco.',
    es: 'Este contenido aún se está preparando. Inténtalo de nuevo en unos momentos.',
    fr: 'Ce contenu est encore en préparation. Réessayez dans un instant.',
    pt: 'Este conteúdo ainda está a ser preparado. Tente novamente dentro de instantes.',
    de: 'Dieser Inhalt wird noch vorbereitet. Bitte versuchen Sie es gleich noch einmal.',
  },
  'playback.notPlayable': {
    en: 'This content cannot be played.',
    it: 'Questo contenuto non può essere riprodotto.',
    es: 'Este contenido no se puede reproducir.',
    fr: 'Ce contenu ne peut pas être lu.',
    pt: 'Este conteúdo não pode ser reproduzido.',
    de: 'Dieser Inhalt kann nicht abgespielt werden.',
  },
  'playback.itemExpired': {
    en: 'This content is no longer available.',
    it: 'Questo contenuto non è più disponibile.',
    es: 'Este contenido ya no está disponible.',
    fr: 'Ce contenu n’est plus disponible.',
    pt: 'Este conteúdo já não está disponível.',
    de: 'Dieser Inhalt ist nicht mehr verfügbar.',
  },
  'playback.grantInvalid': {
    en: 'This playback address is not valid.',
    it: 'Questo indirizzo di riproduzione non è valido.',
    es: 'Esta dirección de reproducción no es válida.',
    fr: 'Cette adresse de lecture n’est pas valide.',
    pt: 'Este endereço de reprodução não é válido.',
    de: 'Diese Wiedergabeadresse ist ungültig.',
  },
  'playback.grantExpired': {
    en: 'This playback address has expired. Please start playback again.',
    it: 'Questo indirizzo di riproduzione è scaduto. Avvia di nuovo la riproduzione.',
    es: 'Esta dirección de reproducción ha caducado. Inicia de nuevo la reproducción.',
    fr: 'Cette adresse de lecture a expiré. Relancez la lecture.',
    pt: 'Este endereço de reprodução expirou. Inicie a reprodução novamente.',
    de: 'Diese Wiedergabeadresse ist abgelaufen. Bitte starten Sie die Wiedergabe erneut.',
  },
};
