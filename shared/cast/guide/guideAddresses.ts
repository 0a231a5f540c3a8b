import type { Config } from '../../platform/config.js';

/** Width of logos and icons in guides, in pixels. */
const iconWidth = 480;

/** The absolute addresses in guides. They never expire. */
export function guideAddresses({ service: { publicUrl } }: Config) {
  return {
    home: publicUrl,
    icon: (thumbnailId: string): string => `${publicUrl}/asset/thumbnail/${thumbnailId}/${iconWidth}`,
    page: (channelId: string): string => `${publicUrl}/embed/?cast=${channelId}`,
    /** Redirects to a playlist with a new grant. */
    playlist: (channelId: string): string => `${publicUrl}/api/public/cast/channel/${channelId}/playlist.m3u8`,
    /** The guide of all channels, or of one publisher's channels. */
    guide: (userCode: string | undefined): string =>
      `${publicUrl}/api/public/cast/epg.xml${userCode === undefined ? '' : `?userCode=${encodeURIComponent(userCode)}`}`,
  };
}

export type GuideAddresses = ReturnType<typeof guideAddresses>;
