import type { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { languageOf } from '../platform/i18n.js';
import { notifyUser } from '../user/user.jobs.js';
import { User } from '../user/user.model.js';
import { BoxItem } from './box.model.js';

/**
 * Adds the mail about a content to the outbox, if its owner is active and has these mails enabled
 * (`transcoderNotifyEnabled` in `docs/contract.md#fields-user`). `values`: the message's placeholders except `title`.
 */
export async function notifyContentOwner(
  ctx: Context,
  tx: Transaction,
  content: Content,
  key: 'contentReady' | 'contentFailed' | 'renditionsFailed',
  values: (translate: (key: string) => string) => Record<string, string> = () => ({}),
): Promise<void> {
  const owner = await ctx.db.model(User).findByPk(content.ownerId, { transaction: tx });
  if (!owner?.transcoderNotifyEnabled || owner.state !== 'ACTIVE') return;
  const item = await ctx.db.model(BoxItem).findOne({
    where: { contentId: content.id },
    order: [['createdAt', 'ASC']],
    transaction: tx,
  });
  const language = languageOf(owner.language);
  await ctx.outbox.add(tx, notifyUser, {
    userId: owner.id,
    key,
    values: {
      title: item?.title ?? content.sourceName,
      ...values((messageKey) => ctx.translate(language, messageKey)),
    },
    event: `${content.id}-g${content.generation}`,
  });
}
