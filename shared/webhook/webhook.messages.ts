import type { Messages } from '../platform/i18n.js';

/** Webhooks, and the mails about them. */
export const webhookMessages = {
  'webhook.tooMany': {
    en: 'You already have {{limit}} webhooks. Delete one first.',
    it: 'Hai già {{limit}} webhook. Eliminane prima uno.',
    es: 'Ya tienes {{limit}} webhooks. Elimina uno antes.',
    fr: 'Vous avez déjà {{limit}} webhooks. Supprimez-en un d’abord.',
    pt: 'Já tem {{limit}} webhooks. Elimine um primeiro.',
    de: 'Sie haben bereits {{limit}} Webhooks. Löschen Sie zuerst einen.',
  },
  'webhook.switchedOff': {
    en: 'This webhook is switched off. Switch it on first.',
    it: 'Questo webhook è disattivato. Attivalo prima.',
    es: 'Este webhook está desactivado. Actívalo antes.',
    fr: 'Ce webhook est désactivé. Activez-le d’abord.',
    pt: 'Este webhook está desativado. Ative-o primeiro.',
    de: 'Dieser Webhook ist deaktiviert. Aktivieren Sie ihn zuerst.',
  },
  'mail.webhookGone.subject': {
    en: 'Your webhook at {{host}} was switched off',
    it: 'Il tuo webhook su {{host}} è stato disattivato',
    es: 'Tu webhook en {{host}} se ha desactivado',
    fr: 'Votre webhook sur {{host}} a été désactivé',
    pt: 'O seu webhook em {{host}} foi desativado',
    de: 'Ihr Webhook auf {{host}} wurde deaktiviert',
  },
  'mail.webhookGone.text': {
    en: 'Hello {{firstName}},\n\nthe server at {{host}} has responded with the status 410: it no longer accepts events. Your webhook was switched off. You can switch it on again at any time.\n',
    it: 'Ciao {{firstName}},\n\nil server su {{host}} ha risposto 410: non vuole più eventi. Il tuo webhook è stato disattivato. Puoi riattivarlo in qualsiasi momento.\n',
    es: 'Hola, {{firstName}}:\n\nEl servidor en {{host}} ha respondido 410: ya no quiere eventos. Tu webhook se ha desactivado. Puedes volver a activarlo en cualquier momento.\n',
    fr: 'Bonjour {{firstName}},\n\nle serveur sur {{host}} a répondu 410 : il ne veut plus d’événements. Votre webhook a été désactivé. Vous pouvez le réactiver à tout moment.\n',
    pt: 'Olá {{firstName}},\n\no servidor em {{host}} respondeu 410: já não quer eventos. O seu webhook foi desativado. Pode voltar a ativá-lo em qualquer altura.\n',
    de: 'Guten Tag {{firstName}},\n\nder Server auf {{host}} hat mit 410 geantwortet: Er möchte keine Ereignisse mehr. Ihr Webhook wurde deaktiviert. Sie können ihn jederzeit wieder aktivieren.\n',
  },
  'mail.webhookFailing.subject': {
    en: 'Your webhook at {{host}} was switched off',
    it: 'Il tuo webhook su {{host}} è stato disattivato',
    es: 'Tu webhook en {{host}} se ha desactivado',
    fr: 'Votre webhook sur {{host}} a été désactivé',
    pt: 'O seu webhook em {{host}} foi desativado',
    de: 'Ihr Webhook auf {{host}} wurde deaktiviert',
  },
  'mail.webhookFailing.text': {
    en: 'Hello {{firstName}},\n\nfor a week, no event could be delivered to your webhook at {{host}}. It was switched off. The list of its deliveries contains the reasons. Switch it on when the server responds again: events that have waited for less than three days are then sent.\n',
    it: 'Ciao {{firstName}},\n\nper una settimana non è stato possibile consegnare alcun evento al tuo webhook su {{host}}. È stato disattivato. Le sue consegne dicono perché. Quando il server risponde di nuovo, riattivalo: ciò che attende da meno di tre giorni viene inviato allora.\n',
    es: 'Hola, {{firstName}}:\n\nDurante una semana no se ha podido entregar ningún evento a tu webhook en {{host}}. Se ha desactivado. Sus entregas dicen por qué. Cuando el servidor vuelva a responder, actívalo: lo que espera desde hace menos de tres días se envía entonces.\n',
    fr: 'Bonjour {{firstName}},\n\npendant une semaine, aucun événement n’a pu être remis à votre webhook sur {{host}}. Il a été désactivé. Ses envois disent pourquoi. Quand le serveur répond de nouveau, activez-le : ce qui attend depuis moins de trois jours est alors envoyé.\n',
    pt: 'Olá {{firstName}},\n\ndurante uma semana não foi possível entregar nenhum evento ao seu webhook em {{host}}. Foi desativado. As suas entregas dizem porquê. Quando o servidor voltar a responder, ative-o: o que espera há menos de três dias é então enviado.\n',
    de: 'Guten Tag {{firstName}},\n\neine Woche lang konnte kein Ereignis an Ihren Webhook auf {{host}} zugestellt werden. Er wurde deaktiviert. Die Gründe stehen bei seinen Zustellungen. Aktivieren Sie ihn, sobald der Server wieder antwortet: Ereignisse, die seit weniger als drei Tagen warten, werden dann gesendet.\n',
  },
} as const satisfies Messages;
