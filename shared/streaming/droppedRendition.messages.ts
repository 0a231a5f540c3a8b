import type { Messages } from '../platform/i18n.js';

/** Mail to the owner of a stream that continues with fewer renditions. */
export const droppedRenditionMessages = {
  'mail.streaming.renditionDropped.subject': {
    en: 'Your live stream {{streamPath}} continues without {{rendition}}',
    it: 'La tua diretta {{streamPath}} continua senza {{rendition}}',
    es: 'Tu emisión en directo {{streamPath}} continúa sin {{rendition}}',
    fr: 'Votre direct {{streamPath}} continue sans {{rendition}}',
    pt: 'A sua transmissão em direto {{streamPath}} continua sem {{rendition}}',
    de: 'Ihr Livestream {{streamPath}} läuft ohne {{rendition}} weiter',
  },
  'mail.streaming.renditionDropped.text': {
    en: 'Hello {{firstName}},\n\nthe server could not process your live stream {{streamPath}} fast enough, and has stopped encoding the rendition {{rendition}}. Viewers see the other renditions. A lower resolution or frame rate in your encoder helps; the next time you start the stream, all renditions are encoded again.\n',
    it: 'Ciao {{firstName}},\n\nil server non riusciva a elaborare abbastanza in fretta la tua diretta {{streamPath}} e ha smesso di produrre la versione {{rendition}}. Gli spettatori vedono le altre versioni. Una risoluzione o una frequenza di fotogrammi più bassa nel tuo encoder aiuta; al prossimo avvio della diretta tutte le versioni vengono prodotte di nuovo.\n',
    es: 'Hola, {{firstName}}:\n\nEl servidor no podía procesar con suficiente rapidez tu emisión en directo {{streamPath}} y ha dejado de generar la versión {{rendition}}. Los espectadores ven las otras versiones. Una resolución o una frecuencia de imágenes más baja en tu codificador ayuda; la próxima vez que inicies la emisión se generarán de nuevo todas las versiones.\n',
    fr: 'Bonjour {{firstName}},\n\nle serveur ne parvenait pas à traiter assez vite votre direct {{streamPath}} et a cessé de produire la version {{rendition}}. Les spectateurs voient les autres versions. Une résolution ou une fréquence d’images plus basse dans votre encodeur aide ; au prochain démarrage du direct, toutes les versions seront de nouveau produites.\n',
    pt: 'Olá {{firstName}},\n\no servidor não conseguia processar com rapidez suficiente a sua transmissão em direto {{streamPath}} e deixou de produzir a versão {{rendition}}. Os espectadores veem as outras versões. Uma resolução ou uma taxa de fotogramas mais baixa no seu codificador ajuda; da próxima vez que iniciar a transmissão, todas as versões são produzidas de novo.\n',
    de: 'Guten Tag {{firstName}},\n\nder Server konnte Ihren Livestream {{streamPath}} nicht schnell genug verarbeiten und erstellt die Qualitätsstufe {{rendition}} nicht mehr. Zuschauer sehen die übrigen Qualitätsstufen. Eine niedrigere Auflösung oder Bildrate in Ihrem Encoder hilft; beim nächsten Start des Livestreams werden wieder alle Qualitätsstufen erstellt.\n',
  },
} as const satisfies Messages;
