import type { Messages } from '../platform/i18n.js';

/** Mails about recordings that are not in the box, and their reasons: `docs/contract.md#choices-live`. */
export const recordingMessages = {
  'recording.reason.STORAGE': {
    en: 'Your storage has not enough free space.',
    it: 'Nel tuo spazio non c’è abbastanza posto libero.',
    es: 'Tu espacio no tiene suficiente sitio libre.',
    fr: 'Votre espace n’a pas assez de place libre.',
    pt: 'O seu espaço não tem lugar livre suficiente.',
  },
  'recording.reason.FILE_SIZE': {
    en: 'The recording is larger than the files that your license allows.',
    it: 'La registrazione è più grande dei file consentiti dalla tua licenza.',
    es: 'La grabación es mayor que los archivos que permite tu licencia.',
    fr: 'L’enregistrement est plus grand que les fichiers autorisés par votre licence.',
    pt: 'A gravação é maior do que os ficheiros permitidos pela sua licença.',
  },
  'recording.reason.UPLOAD_COUNT': {
    en: 'Your license does not allow more contents.',
    it: 'La tua licenza non consente altri contenuti.',
    es: 'Tu licencia no permite más contenidos.',
    fr: 'Votre licence n’autorise pas plus de contenus.',
    pt: 'A sua licença não permite mais conteúdos.',
  },
  'recording.reason.MEDIA_MINUTES': {
    en: 'The minutes of processing of your license are used up this month.',
    it: 'I minuti di elaborazione della tua licenza sono esauriti per questo mese.',
    es: 'Los minutos de procesamiento de tu licencia se han agotado este mes.',
    fr: 'Les minutes de traitement de votre licence sont épuisées pour ce mois.',
    pt: 'Os minutos de processamento da sua licença esgotaram-se este mês.',
  },
  'recording.reason.internal': {
    en: 'There was an error on our side.',
    it: 'Si è verificato un errore da parte nostra.',
    es: 'Se ha producido un error por nuestra parte.',
    fr: 'Une erreur s’est produite de notre côté.',
    pt: 'Ocorreu um erro do nosso lado.',
  },
  'mail.recordingKept.subject': {
    en: 'The recording of “{{title}}” is waiting',
    it: 'La registrazione di «{{title}}» è in attesa',
    es: 'La grabación de «{{title}}» está en espera',
    fr: 'L’enregistrement de « {{title}} » est en attente',
    pt: 'A gravação de «{{title}}» está em espera',
  },
  'mail.recordingKept.text': {
    en: 'Hello {{firstName}},\n\nthe recording of “{{title}}” cannot be stored in your box: {{reason}} We keep it until {{date}} and store it as soon as it is possible. Delete contents that you no longer need, or choose a larger license.\n',
    it: 'Ciao {{firstName}},\n\nla registrazione di «{{title}}» non può essere salvata nel tuo box: {{reason}} La conserviamo fino al {{date}} e la salveremo appena possibile. Elimina i contenuti che non ti servono più o scegli una licenza più grande.\n',
    es: 'Hola, {{firstName}}:\n\nLa grabación de «{{title}}» no se puede guardar en tu box: {{reason}} La conservamos hasta el {{date}} y la guardaremos en cuanto sea posible. Elimina contenidos que ya no necesites o elige una licencia mayor.\n',
    fr: 'Bonjour {{firstName}},\n\nl’enregistrement de « {{title}} » ne peut pas être placé dans votre box : {{reason}} Nous le gardons jusqu’au {{date}} et le placerons dès que possible. Supprimez des contenus devenus inutiles ou choisissez une licence plus grande.\n',
    pt: 'Olá {{firstName}},\n\na gravação de «{{title}}» não pode ser guardada na sua box: {{reason}} Conservamo-la até {{date}} e guardá-la-emos assim que for possível. Elimine conteúdos de que já não precisa ou escolha uma licença maior.\n',
  },
  'mail.recordingFailed.subject': {
    en: 'The recording of “{{title}}” has been deleted',
    it: 'La registrazione di «{{title}}» è stata eliminata',
    es: 'La grabación de «{{title}}» se ha eliminado',
    fr: 'L’enregistrement de « {{title}} » a été supprimé',
    pt: 'A gravação de «{{title}}» foi eliminada',
  },
  'mail.recordingFailed.text': {
    en: 'Hello {{firstName}},\n\nthe recording of “{{title}}” could not be stored in your box and has been deleted: {{reason}}\n',
    it: 'Ciao {{firstName}},\n\nla registrazione di «{{title}}» non è stata salvata nel tuo box ed è stata eliminata: {{reason}}\n',
    es: 'Hola, {{firstName}}:\n\nLa grabación de «{{title}}» no se ha podido guardar en tu box y se ha eliminado: {{reason}}\n',
    fr: 'Bonjour {{firstName}},\n\nl’enregistrement de « {{title}} » n’a pas pu être placé dans votre box et a été supprimé : {{reason}}\n',
    pt: 'Olá {{firstName}},\n\na gravação de «{{title}}» não pôde ser guardada na sua box e foi eliminada: {{reason}}\n',
  },
  'mail.recordingEmpty.subject': {
    en: 'There is no recording of “{{title}}”',
    it: 'Non c’è alcuna registrazione di «{{title}}»',
    es: 'No hay grabación de «{{title}}»',
    fr: 'Il n’y a pas d’enregistrement de « {{title}} »',
    pt: 'Não há gravação de «{{title}}»',
  },
  'mail.recordingEmpty.text': {
    en: 'Hello {{firstName}},\n\nyour event “{{title}}” is over, and there is no recording of it: nothing was published while it lasted.\n',
    it: 'Ciao {{firstName}},\n\nil tuo evento «{{title}}» è terminato e non ne esiste una registrazione: durante l’evento non è stato pubblicato nulla.\n',
    es: 'Hola, {{firstName}}:\n\nTu evento «{{title}}» ha terminado y no hay grabación: durante el evento no se publicó nada.\n',
    fr: 'Bonjour {{firstName}},\n\nvotre évènement « {{title}} » est terminé et il n’y en a pas d’enregistrement : rien n’a été publié pendant sa durée.\n',
    pt: 'Olá {{firstName}},\n\no seu evento «{{title}}» terminou e não há gravação: nada foi publicado enquanto durou.\n',
  },
} as const satisfies Messages;
