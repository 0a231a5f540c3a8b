import type { Messages } from '../platform/i18n.js';

/** Captions of contents. */
export const captionMessages: Messages = {
  'caption.file.encoding': {
    en: 'The file is not text in UTF-8. Save it as UTF-8 and send it again.',
    it: 'Il file non è testo in UTF-8. Salvalo in UTF-8 e invialo di nuovo.',
    es: 'El archivo no es texto en UTF-8. Guárdalo como UTF-8 y envíalo de nuevo.',
    fr: 'Le fichier n’est pas un texte en UTF-8. Enregistrez-le en UTF-8 et renvoyez-le.',
    pt: 'O ficheiro não é texto em UTF-8. Guarde-o em UTF-8 e envie-o novamente.',
  },
  'caption.file.format': {
    en: 'Line {{line}} is not WebVTT or SRT: a time such as 00:00:01.000 --> 00:00:02.000 is expected.',
    it: 'La riga {{line}} non è WebVTT né SRT: è atteso un tempo come 00:00:01.000 --> 00:00:02.000.',
    es: 'La línea {{line}} no es WebVTT ni SRT: se espera un tiempo como 00:00:01.000 --> 00:00:02.000.',
    fr: 'La ligne {{line}} n’est ni du WebVTT ni du SRT : un temps tel que 00:00:01.000 --> 00:00:02.000 est attendu.',
    pt: 'A linha {{line}} não é WebVTT nem SRT: espera-se um tempo como 00:00:01.000 --> 00:00:02.000.',
  },
  'caption.file.timing': {
    en: 'In line {{line}} the caption ends before it begins, or later than any content.',
    it: 'Nella riga {{line}} il sottotitolo finisce prima di iniziare, o più tardi di qualsiasi contenuto.',
    es: 'En la línea {{line}} el subtítulo termina antes de empezar, o más tarde que cualquier contenido.',
    fr: 'À la ligne {{line}}, le sous-titre se termine avant de commencer, ou plus tard que tout contenu.',
    pt: 'Na linha {{line}} a legenda termina antes de começar, ou mais tarde do que qualquer conteúdo.',
  },
  'caption.file.tooManyCues': {
    en: 'The file has too many captions.',
    it: 'Il file contiene troppi sottotitoli.',
    es: 'El archivo contiene demasiados subtítulos.',
    fr: 'Le fichier contient trop de sous-titres.',
    pt: 'O ficheiro contém demasiadas legendas.',
  },
  'caption.file.tooLongText': {
    en: 'The caption in line {{line}} is too long.',
    it: 'Il sottotitolo alla riga {{line}} è troppo lungo.',
    es: 'El subtítulo de la línea {{line}} es demasiado largo.',
    fr: 'Le sous-titre à la ligne {{line}} est trop long.',
    pt: 'A legenda na linha {{line}} é demasiado longa.',
  },
  'caption.file.tooManyAtOnce': {
    en: 'Too many captions are shown at {{time}}: at most {{limit}} can be shown at one time.',
    it: 'A {{time}} vengono mostrati troppi sottotitoli: al massimo {{limit}} contemporaneamente.',
    es: 'En {{time}} se muestran demasiados subtítulos: como máximo {{limit}} a la vez.',
    fr: 'À {{time}}, trop de sous-titres sont affichés : {{limit}} au plus en même temps.',
    pt: 'Em {{time}} são mostradas demasiadas legendas: no máximo {{limit}} ao mesmo tempo.',
  },
  'caption.file.tooLarge': {
    en: 'The captions have too much text.',
    it: 'I sottotitoli contengono troppo testo.',
    es: 'Los subtítulos tienen demasiado texto.',
    fr: 'Les sous-titres contiennent trop de texte.',
    pt: 'As legendas têm demasiado texto.',
  },
  'caption.file.noCues': {
    en: 'The file has no captions.',
    it: 'Il file non contiene sottotitoli.',
    es: 'El archivo no contiene subtítulos.',
    fr: 'Le fichier ne contient aucun sous-titre.',
    pt: 'O ficheiro não contém legendas.',
  },
  'caption.labelTaken': {
    en: 'This content has captions with this label already. Choose another label.',
    it: 'Questo contenuto ha già sottotitoli con questa etichetta. Scegline un’altra.',
    es: 'Este contenido ya tiene subtítulos con esta etiqueta. Elige otra.',
    fr: 'Ce contenu a déjà des sous-titres avec ce libellé. Choisissez-en un autre.',
    pt: 'Este conteúdo já tem legendas com esta etiqueta. Escolha outra.',
  },
  'caption.tooMany': {
    en: 'This content has {{limit}} captions already. Delete one first.',
    it: 'Questo contenuto ha già {{limit}} sottotitoli. Eliminane prima uno.',
    es: 'Este contenido ya tiene {{limit}} subtítulos. Elimina antes uno.',
    fr: 'Ce contenu a déjà {{limit}} sous-titres. Supprimez-en un d’abord.',
    pt: 'Este conteúdo já tem {{limit}} legendas. Elimine uma primeiro.',
  },
  'caption.language': {
    en: 'Send a language tag, such as en or pt-BR.',
    it: 'Invia un codice di lingua, come it o pt-BR.',
    es: 'Envía un código de idioma, como es o pt-BR.',
    fr: 'Envoyez un code de langue, comme fr ou pt-BR.',
    pt: 'Envie um código de idioma, como pt ou pt-BR.',
  },
};
