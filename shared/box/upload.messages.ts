import type { Messages } from '../platform/i18n.js';

/** Multipart forms that could not be read. */
export const uploadMessages = {
  'upload.notMultipart': {
    en: 'Send the file as multipart form data.',
    it: 'Invia il file come multipart form data.',
    es: 'Envía el archivo como multipart form data.',
    fr: 'Envoyez le fichier sous forme de multipart form data.',
    pt: 'Envie o ficheiro como multipart form data.',
  },
  'upload.malformed': {
    en: 'The form is broken or incomplete.',
    it: 'Il modulo inviato è danneggiato o incompleto.',
    es: 'El formulario está dañado o incompleto.',
    fr: 'Le formulaire est endommagé ou incomplet.',
    pt: 'O formulário está danificado ou incompleto.',
  },
  'upload.aborted': {
    en: 'The upload was cut off before its end.',
    it: 'Il caricamento è stato interrotto prima della fine.',
    es: 'La subida se cortó antes de terminar.',
    fr: 'L’envoi a été coupé avant la fin.',
    pt: 'O envio foi cortado antes do fim.',
  },
  'upload.stalled': {
    en: 'Nothing more of the upload arrived.',
    it: 'Il caricamento non è proseguito.',
    es: 'No llegó nada más de la subida.',
    fr: 'L’envoi s’est arrêté.',
    pt: 'Não chegou mais nada do envio.',
  },
  'upload.unexpectedFile': {
    en: 'Only one file may be sent, and not in this part.',
    it: 'Può essere inviato un solo file, e non in questa parte.',
    es: 'Solo se puede enviar un archivo, y no en esta parte.',
    fr: 'Un seul fichier peut être envoyé, et pas dans cette partie.',
    pt: 'Só pode ser enviado um ficheiro, e não nesta parte.',
  },
  'upload.emptyFile': {
    en: 'The file is empty.',
    it: 'Il file è vuoto.',
    es: 'El archivo está vacío.',
    fr: 'Le fichier est vide.',
    pt: 'O ficheiro está vazio.',
  },
} as const satisfies Messages;
