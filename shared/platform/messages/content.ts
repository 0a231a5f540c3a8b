import type { Messages } from './message.js';

/** Why a content could not be made, for its owner, and the mails about it. */
export const contentMessages = {
  'content.failure.empty': {
    en: 'The file is empty.',
    it: 'Il file è vuoto.',
    es: 'El archivo está vacío.',
    fr: 'Le fichier est vide.',
    pt: 'O ficheiro está vazio.',
  },
  'content.failure.unsupported': {
    en: 'The file is not a video or audio file of a kind we know.',
    it: 'Il file non è un video o un audio di un tipo conosciuto.',
    es: 'El archivo no es un vídeo ni un audio de un tipo conocido.',
    fr: "Le fichier n'est ni une vidéo ni un son d'un type connu.",
    pt: 'O ficheiro não é um vídeo nem um áudio de um tipo conhecido.',
  },
  'content.failure.unreadable': {
    en: 'The file is damaged or incomplete: it cannot be read.',
    it: 'Il file è danneggiato o incompleto: non può essere letto.',
    es: 'El archivo está dañado o incompleto: no se puede leer.',
    fr: 'Le fichier est endommagé ou incomplet : il ne peut pas être lu.',
    pt: 'O ficheiro está danificado ou incompleto: não pode ser lido.',
  },
  'content.failure.nothingToPlay': {
    en: 'The file holds neither pictures nor sound that can be played.',
    it: 'Il file non contiene immagini né suoni riproducibili.',
    es: 'El archivo no contiene imágenes ni sonido que se puedan reproducir.',
    fr: 'Le fichier ne contient ni image ni son lisibles.',
    pt: 'O ficheiro não contém imagens nem som que possam ser reproduzidos.',
  },
  'content.failure.tooLong': {
    en: 'The content is too long.',
    it: 'Il contenuto è troppo lungo.',
    es: 'El contenido es demasiado largo.',
    fr: 'Le contenu est trop long.',
    pt: 'O conteúdo é demasiado longo.',
  },
  'content.failure.tooManyPixels': {
    en: 'The picture is larger than what can be processed.',
    it: "L'immagine è più grande di quanto si possa elaborare.",
    es: 'La imagen es mayor de lo que se puede procesar.',
    fr: "L'image est plus grande que ce qui peut être traité.",
    pt: 'A imagem é maior do que o que pode ser processado.',
  },
  'content.failure.tooManyStreams': {
    en: 'The file holds too many streams.',
    it: 'Il file contiene troppi flussi.',
    es: 'El archivo contiene demasiados flujos.',
    fr: 'Le fichier contient trop de flux.',
    pt: 'O ficheiro contém demasiados fluxos.',
  },
  'content.failure.internal': {
    en: 'The content could not be processed. Please upload it again.',
    it: 'Non è stato possibile elaborare il contenuto. Caricalo di nuovo.',
    es: 'No se ha podido procesar el contenido. Súbelo de nuevo.',
    fr: "Le contenu n'a pas pu être traité. Veuillez l'envoyer de nouveau.",
    pt: 'Não foi possível processar o conteúdo. Envie-o novamente.',
  },
  'mail.contentReady.subject': {
    en: '“{{title}}” is ready',
    it: '«{{title}}» è pronto',
    es: '«{{title}}» está listo',
    fr: '« {{title}} » est prêt',
    pt: '«{{title}}» está pronto',
  },
  'mail.contentReady.text': {
    en: 'Hello {{firstName}},\n\nyour content “{{title}}” has been processed and can be played and published.\n',
    it: 'Ciao {{firstName}},\n\nil tuo contenuto «{{title}}» è stato elaborato e può essere riprodotto e pubblicato.\n',
    es: 'Hola, {{firstName}}:\n\nTu contenido «{{title}}» se ha procesado y se puede reproducir y publicar.\n',
    fr: 'Bonjour {{firstName}},\n\nvotre contenu « {{title}} » a été traité et peut être lu et publié.\n',
    pt: 'Olá, {{firstName}},\n\no seu conteúdo «{{title}}» foi processado e pode ser reproduzido e publicado.\n',
  },
  'mail.contentFailed.subject': {
    en: '“{{title}}” could not be processed',
    it: '«{{title}}» non è stato elaborato',
    es: '«{{title}}» no se ha podido procesar',
    fr: "« {{title}} » n'a pas pu être traité",
    pt: '«{{title}}» não pôde ser processado',
  },
  'mail.contentFailed.text': {
    en: 'Hello {{firstName}},\n\nyour content “{{title}}” could not be processed: {{reason}}\n',
    it: 'Ciao {{firstName}},\n\nil tuo contenuto «{{title}}» non è stato elaborato: {{reason}}\n',
    es: 'Hola, {{firstName}}:\n\nTu contenido «{{title}}» no se ha podido procesar: {{reason}}\n',
    fr: "Bonjour {{firstName}},\n\nvotre contenu « {{title}} » n'a pas pu être traité : {{reason}}\n",
    pt: 'Olá, {{firstName}},\n\no seu conteúdo «{{title}}» não pôde ser processado: {{reason}}\n',
  },
} satisfies Messages;
