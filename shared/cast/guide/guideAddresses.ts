import type { Config } from '../../platform/config.js';

/** Pixels of logos and icons in guides. */
const iconWidth = 480;

/** The absolute addresses that guides contain. None of them expires. */
export function guideAddresses({ service: { publicUrl } }: Config) {
  return {
    home: publicUrl,
    icon: (thumbnailId: string): string => `${publicUrl}/asset/thumbnail/${thumbnailId}/${iconWidth}`,
    page: (channelId: string): string => `${publicUrl}/embed/?cast=${channelId}`,
    /** Redirects to a playlist that may be played now. */
    playlist: (channelId: string): string => `${publicUrl}/api/public/cast/channel/${channelId}/playlist.m3u8`,
    /** The guide of all channels, or of those of a publisher. */
    guide: (userCode: string | undefined): string =>
      `${publicUrl}/api/public/cast/epg.xml${userCode === undefined ? '' : `?userCode=${encodeURIComponent(userCode)}`}`,
  };
}

export type GuideAddresses = ReturnType<typeof guideAddresses>;
