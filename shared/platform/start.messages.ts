import type { Messages } from './i18n.js';

/** The start page. */
export const startMessages: Messages = {
  'start.title': {
    en: 'Video platform service',
    it: 'Servizio di piattaforma video',
    es: 'Servicio de plataforma de vídeo',
    fr: 'Service de plateforme vidéo',
    pt: 'Serviço de plataforma de vídeo',
  },
  'start.what': {
    en: 'This is a self-hosted service for publishing video, on demand and live. Programs use it over HTTP.',
    it: 'Questo è un servizio autonomo per pubblicare video, su richiesta e in diretta. I programmi lo usano via HTTP.',
    es: 'Este es un servicio autoalojado para publicar vídeo, a la carta y en directo. Los programas lo usan por HTTP.',
    fr: 'Ceci est un service auto-hébergé pour publier des vidéos, à la demande et en direct. Les programmes l’utilisent par HTTP.',
    pt: 'Este é um serviço auto-hospedado para publicar vídeo, sob demanda e ao vivo. Os programas o usam por HTTP.',
  },
  'start.docs': {
    en: 'API description',
    it: 'Descrizione dell’API',
    es: 'Descripción de la API',
    fr: 'Description de l’API',
    pt: 'Descrição da API',
  },
  'start.openapi': { en: 'OpenAPI', it: 'OpenAPI', es: 'OpenAPI', fr: 'OpenAPI', pt: 'OpenAPI' },
  'start.health': { en: 'State', it: 'Stato', es: 'Estado', fr: 'État', pt: 'Estado' },
  'start.operators': {
    en: 'Queues, for operators',
    it: 'Code, per gli operatori',
    es: 'Colas, para operadores',
    fr: 'Files d’attente, pour les opérateurs',
    pt: 'Filas, para operadores',
  },
  'start.player': {
    en: 'The player can be put into any page. It plays a video, the next event of a channel, or one event:',
    it: 'Il lettore si può inserire in qualsiasi pagina. Riproduce un video, il prossimo evento di un canale o un evento:',
    es: 'El reproductor se puede insertar en cualquier página. Reproduce un vídeo, el próximo evento de un canal o un evento:',
    fr: 'Le lecteur peut être intégré dans n’importe quelle page. Il lit une vidéo, le prochain événement d’une chaîne ou un événement :',
    pt: 'O reprodutor pode ser inserido em qualquer página. Ele reproduz um vídeo, o próximo evento de um canal ou um evento:',
  },
};
