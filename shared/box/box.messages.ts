import type { Messages } from '../platform/i18n.js';

/** Box items and downloads. */
export const boxMessages = {
  'box.identifierTaken': {
    en: 'A content with this identifier exists already.',
    it: 'Esiste già un contenuto con questo identificativo.',
    es: 'Ya existe un contenido con este identificador.',
    fr: 'Un contenu avec cet identifiant existe déjà.',
    pt: 'Já existe um conteúdo com este identificador.',
  },
  'box.licensed': {
    en: 'This content belongs to somebody else: it cannot be changed here.',
    it: 'Questo contenuto appartiene ad altri: non può essere modificato qui.',
    es: 'Este contenido pertenece a otra persona: no se puede cambiar aquí.',
    fr: 'Ce contenu appartient à quelqu’un d’autre : il ne peut pas être modifié ici.',
    pt: 'Este conteúdo pertence a outra pessoa: não pode ser alterado aqui.',
  },
  'box.inUse': {
    en: 'This content is in use: withdraw what was published or offered of it first.',
    it: 'Questo contenuto è in uso: ritira prima ciò che ne è stato pubblicato o offerto.',
    es: 'Este contenido está en uso: retira antes lo que se ha publicado u ofrecido de él.',
    fr: 'Ce contenu est utilisé : retirez d’abord ce qui en a été publié ou proposé.',
    pt: 'Este conteúdo está em uso: retire primeiro o que dele foi publicado ou oferecido.',
  },
  'box.beingPaidFor': {
    en: 'Somebody is just paying for this content: delete it when that has ended, at the latest after {{until}}.',
    it: 'Qualcuno sta pagando per questo contenuto: eliminalo quando avrà finito, al più tardi dopo il {{until}}.',
    es: 'Alguien está pagando por este contenido: elimínalo cuando haya terminado, a más tardar después del {{until}}.',
    fr: 'Quelqu’un est en train de payer ce contenu : supprimez-le quand ce sera terminé, au plus tard après le {{until}}.',
    pt: 'Alguém está a pagar por este conteúdo: elimine-o quando isso terminar, o mais tardar depois de {{until}}.',
  },
  'box.reprocessing.inProgress': {
    en: 'This content is being processed already.',
    it: 'Questo contenuto è già in elaborazione.',
    es: 'Este contenido ya se está procesando.',
    fr: 'Ce contenu est déjà en cours de traitement.',
    pt: 'Este conteúdo já está a ser processado.',
  },
  'box.reprocessing.sourceGone': {
    en: 'The uploaded file of this content is no longer there: upload it again.',
    it: 'Il file caricato di questo contenuto non c’è più: caricalo di nuovo.',
    es: 'El archivo subido de este contenido ya no existe: súbelo de nuevo.',
    fr: 'Le fichier envoyé de ce contenu n’existe plus : envoyez-le de nouveau.',
    pt: 'O ficheiro enviado deste conteúdo já não existe: envie-o novamente.',
  },
  'box.reprocessing.tooOften': {
    en: 'This content was processed again {{limit}} times already. Upload it again, or ask the operators.',
    it: 'Questo contenuto è già stato elaborato di nuovo {{limit}} volte. Caricalo di nuovo o chiedi ai gestori.',
    es: 'Este contenido ya se ha procesado de nuevo {{limit}} veces. Súbelo de nuevo o pregunta a los operadores.',
    fr: 'Ce contenu a déjà été traité de nouveau {{limit}} fois. Envoyez-le de nouveau ou demandez aux exploitants.',
    pt: 'Este conteúdo já foi processado de novo {{limit}} vezes. Envie-o novamente ou pergunte aos operadores.',
  },
  'box.thumbnailUnknown': {
    en: 'You have no thumbnail with this id.',
    it: 'Non hai una miniatura con questo id.',
    es: 'No tienes ninguna miniatura con este id.',
    fr: 'Vous n’avez pas de miniature avec cet id.',
    pt: 'Não tem nenhuma miniatura com este id.',
  },
  'box.licenseFilterNeedsSource': {
    en: 'License conditions may only be filtered with the source MARKET_PLACE.',
    it: 'Le condizioni di licenza si possono filtrare solo con la sorgente MARKET_PLACE.',
    es: 'Las condiciones de licencia solo se pueden filtrar con el origen MARKET_PLACE.',
    fr: 'Les conditions de licence ne peuvent être filtrées qu’avec la source MARKET_PLACE.',
    pt: 'As condições de licença só podem ser filtradas com a origem MARKET_PLACE.',
  },
} as const satisfies Messages;
