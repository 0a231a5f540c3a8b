import { cleanContent } from '../../shared/content/content.jobs.js';
import type { Content } from '../../shared/content/content.model.js';
import { giveUp } from '../../shared/content/making.js';
import { BoxItem } from '../../shared/box/box.model.js';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import { languageOf } from '../../shared/platform/i18n.js';
import { notifyUser } from '../../shared/user/user.jobs.js';
import { User } from '../../shared/user/user.model.js';

const longestDetail = 4_000;

/** The generation has FAILED: once, with mail to the owner who wants it, and its files go. False where there was nothing to fail. */
export async function failContent(
  ctx: Context,
  contentId: string,
  generation: number,
  failure: { readonly key: string; readonly detail: string },
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const content = await giveUp(ctx, tx, contentId, generation, {
      key: failure.key,
      detail: failure.detail.slice(-longestDetail),
    });
    if (!content) return false;
    await ctx.outbox.add(tx, cleanContent, { contentId });
    await notifyOwner(ctx, tx, content, 'contentFailed', (translate) => ({ reason: translate(failure.key) }));
    return true;
  });
}

/** Adds the mail about a content, if its owner wants such mail (`docs/contract.md#fields-user`, transcoderNotifyEnabled). */
export async function notifyOwner(
  ctx: Context,
  tx: Transaction,
  content: Content,
  key: 'contentReady' | 'contentFailed',
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
    values: { title: item?.title ?? content.sourceName, ...values((sentence) => ctx.translate(language, sentence)) },
    event: `${content.id}-g${content.generation}`,
  });
}
