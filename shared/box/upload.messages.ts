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
    en: 'Nearly nothing of the upload has arrived for {{seconds}} {{seconds:second|seconds}}.',
    it: 'Del caricamento non è arrivato quasi nulla per {{seconds}} {{seconds:secondo|secondi}}.',
    es: 'No ha llegado casi nada de la subida durante {{seconds}} {{seconds:segundo|segundos}}.',
    fr: 'Presque rien de l’envoi n’est arrivé pendant {{seconds}} {{seconds:seconde|secondes}}.',
    pt: 'Quase nada do envio chegou durante {{seconds}} {{seconds:segundo|segundos}}.',
  },
  'upload.required': {
    en: 'A file is required, in a part with a file name.',
    it: 'È obbligatorio un file, in una parte con un nome di file.',
    es: 'Es obligatorio un archivo, en una parte con un nombre de archivo.',
    fr: 'Un fichier est obligatoire, dans une partie avec un nom de fichier.',
    pt: 'É obrigatório um ficheiro, numa parte com um nome de ficheiro.',
  },
  'upload.requiredOf': {
    en: '“{{field}}” is required: a file, in a part with a file name. With curl: -F {{field}}=@name',
    it: '“{{field}}” è obbligatorio: un file, in una parte con un nome di file. Con curl: -F {{field}}=@name',
    es: '«{{field}}» es obligatorio: un archivo, en una parte con un nombre de archivo. Con curl: -F {{field}}=@name',
    fr: '« {{field}} » est obligatoire : un fichier, dans une partie avec un nom de fichier. Avec curl : -F {{field}}=@name',
    pt: '«{{field}}» é obrigatório: um ficheiro, numa parte com um nome de ficheiro. Com curl: -F {{field}}=@name',
  },
  'upload.secondFile': {
    en: 'Only one file may be sent, in the part “{{part}}”.',
    it: 'Può essere inviato un solo file, nella parte “{{part}}”.',
    es: 'Solo se puede enviar un archivo, en la parte «{{part}}».',
    fr: 'Un seul fichier peut être envoyé, dans la partie « {{part}} ».',
    pt: 'Só pode ser enviado um ficheiro, na parte «{{part}}».',
  },
  'upload.otherPart': {
    en: 'Send the file in the part “{{part}}”, not in “{{sent}}”.',
    it: 'Invia il file nella parte “{{part}}”, non in “{{sent}}”.',
    es: 'Envía el archivo en la parte «{{part}}», no en «{{sent}}».',
    fr: 'Envoyez le fichier dans la partie « {{part}} », et non dans « {{sent}} ».',
    pt: 'Envie o ficheiro na parte «{{part}}», não em «{{sent}}».',
  },
  'upload.emptyFile': {
    en: 'The file is empty.',
    it: 'Il file è vuoto.',
    es: 'El archivo está vacío.',
    fr: 'Le fichier est vide.',
    pt: 'O ficheiro está vazio.',
  },
} as const satisfies Messages;
