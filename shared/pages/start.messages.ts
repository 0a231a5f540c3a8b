import type { Messages } from '../platform/i18n.js';

/** The start page. */
export const startMessages: Messages = {
  'start.title': {
    en: 'Video platform service',
    it: 'Servizio di piattaforma video',
    es: 'Servicio de plataforma de vídeo',
    fr: 'Service de plateforme vidéo',
    pt: 'Serviço de plataforma de vídeo',
    de: 'Videoplattform-Dienst',
  },
  'start.what': {
    en: 'This is a self-hosted service for publishing video, on demand and live. Programs use it over HTTP.',
    it: 'Questo è un servizio autonomo per pubblicare video, su richiesta e in diretta. I programmi lo usano via HTTP.',
    es: 'Este es un servicio autoalojado para publicar vídeo, a la carta y en directo. Los programas lo usan por HTTP.',
    fr: 'Ceci est un service auto-hébergé pour publier des vidéos, à la demande et en direct. Les programmes l’utilisent par HTTP.',
    pt: 'Este é um serviço de alojamento próprio para publicar vídeo, a pedido e em direto. Os programas usam-no por HTTP.',
    de: 'Dies ist ein selbst gehosteter Dienst zum Veröffentlichen von Videos, auf Abruf und live. Programme nutzen ihn über HTTP.',
  },
  'start.docs': {
    en: 'API description',
    it: 'Descrizione dell’API',
    es: 'Descripción de la API',
    fr: 'Description de l’API',
    pt: 'Descrição da API',
    de: 'API-Beschreibung',
  },
  'start.openapi': { en: 'OpenAPI', it: 'OpenAPI', es: 'OpenAPI', fr: 'OpenAPI', pt: 'OpenAPI', de: 'OpenAPI' },
  'start.health': { en: 'State', it: 'Stato', es: 'Estado', fr: 'État', pt: 'Estado', de: 'Status' },
  'start.operators': {
    en: 'Queues, for operators',
    it: 'Code, per gli operatori',
    es: 'Colas, para operadores',
    fr: 'Files d’attente, pour les opérateurs',
    pt: 'Filas, para operadores',
    de: 'Warteschlangen, für Betreiber',
  },
  'start.channelList': {
    en: 'Channels, for VLC and Kodi',
    it: 'Canali, per VLC e Kodi',
    es: 'Canales, para VLC y Kodi',
    fr: 'Chaînes, pour VLC et Kodi',
    pt: 'Canais, para VLC e Kodi',
    de: 'Kanäle, für VLC und Kodi',
  },
  'start.channels': {
    en: 'Channels with a program:',
    it: 'Canali con un palinsesto:',
    es: 'Canales con programación:',
    fr: 'Chaînes avec une grille de programmes :',
    pt: 'Canais com programação:',
    de: 'Kanäle mit Programm:',
  },
  'start.player': {
    en: 'The player can be embedded in any page. It plays a video, the next event of a live channel, one event, or a channel with a program:',
    it: 'Il lettore si può inserire in qualsiasi pagina. Riproduce un video, il prossimo evento di un canale in diretta, un evento o un canale con un palinsesto:',
    es: 'El reproductor se puede insertar en cualquier página. Reproduce un vídeo, el próximo evento de un canal en directo, un evento o un canal con programación:',
    fr: 'Le lecteur peut être intégré dans n’importe quelle page. Il lit une vidéo, le prochain événement d’une chaîne en direct, un événement ou une chaîne avec une grille de programmes :',
    pt: 'O reprodutor pode ser inserido em qualquer página. Reproduz um vídeo, o próximo evento de um canal em direto, um evento ou um canal com programação:',
    de: 'Der Player lässt sich in jede Seite einbetten. Er spielt ein Video, das nächste Event eines Live-Kanals, ein einzelnes Event oder einen Kanal mit Programm ab:',
  },
};
