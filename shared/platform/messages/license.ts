import type { Messages } from './message.js';

/** Limits of a plan: `decisions.md 5`. */
export const licenseMessages = {
  'license.storage': {
    en: 'Your storage is full: {{megabytes}} MB of {{gigabytes}} GB are free.',
    it: 'Lo spazio è esaurito: sono liberi {{megabytes}} MB su {{gigabytes}} GB.',
    es: 'Tu espacio está lleno: quedan libres {{megabytes}} MB de {{gigabytes}} GB.',
    fr: 'Votre espace est plein : {{megabytes}} Mo sur {{gigabytes}} Go sont libres.',
    pt: 'O seu espaço está cheio: estão livres {{megabytes}} MB de {{gigabytes}} GB.',
  },
  'license.fileSize': {
    en: 'Your license allows files of up to {{gigabytes}} GB.',
    it: 'La tua licenza consente file fino a {{gigabytes}} GB.',
    es: 'Tu licencia permite archivos de hasta {{gigabytes}} GB.',
    fr: 'Votre licence autorise des fichiers de {{gigabytes}} Go au plus.',
    pt: 'A sua licença permite ficheiros até {{gigabytes}} GB.',
  },
  'license.uploadCount': {
    en: 'Your license allows {{limit}} contents at most.',
    it: 'La tua licenza consente al massimo {{limit}} contenuti.',
    es: 'Tu licencia permite {{limit}} contenidos como máximo.',
    fr: 'Votre licence autorise {{limit}} contenus au plus.',
    pt: 'A sua licença permite no máximo {{limit}} conteúdos.',
  },
  'license.reservationLost': {
    en: 'The upload took a break that was too long. Please send the file again.',
    it: 'Il caricamento si è fermato troppo a lungo. Invia di nuovo il file.',
    es: 'La subida se detuvo demasiado tiempo. Vuelve a enviar el archivo.',
    fr: 'L’envoi s’est interrompu trop longtemps. Veuillez renvoyer le fichier.',
    pt: 'O envio parou durante demasiado tempo. Envie o ficheiro de novo.',
  },
} as const satisfies Messages;
