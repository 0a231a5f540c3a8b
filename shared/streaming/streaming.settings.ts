import Joi from 'joi';
import { withoutTrailing } from '../platform/formats/trailing.js';
import { commaSeparated, settingGroup, variable, type Settings } from '../platform/settingVariables.js';

const { text, secret, integer, webAddress, networks } = variable;
const rtmpAddress = Joi.string()
  .trim()
  .uri({ scheme: ['rtmp', 'rtmps'] });

/** Settings of live publications and their playback. */
export interface LiveConfig {
  /** Server address for encoders, without the stream path. Null: the embedded RTMP server at the host of `PUBLIC_URL`. */
  readonly baseUrl: string | null;
  readonly rtmp: {
    readonly host: string;
    readonly port: number;
    /** Addresses and networks of proxies, which begin each connection with a PROXY header. */
    readonly proxyHosts: readonly string[];
    /** RTMPS on a separate port; null: none. */
    readonly tls: { readonly port: number; readonly certificateFile: string; readonly keyFile: string } | null;
  };
  /** Publications that one live process packages at a time. */
  readonly concurrency: number;
  /** An encoder that returns within this time continues its session. */
  readonly reconnectSeconds: number;
  /** Heights in pixels, highest first. A source that is lower than the highest one is not scaled up. */
  readonly renditionHeights: readonly number[];
  readonly preset: string;
  /** Maximum rewind of viewers. */
  readonly rewindSeconds: number;
  /** Address from which live processes pull publications of an external server, with `{streamPath}` and `{app}`; null: none. */
  readonly pullUrl: string | null;
  /**
   * Low latency: the address at which a live process serves half-second parts to web processes. Null: only complete segments.
   */
  readonly parts: {
    readonly host: string;
    /** 0: any free port. */
    readonly port: number;
    /** Address of the live process for web processes; null: the host and port that it has opened. */
    readonly url: string | null;
  } | null;
  /** Secret for OvenMediaEngine's webhook signatures; null: webhooks are rejected. */
  readonly ovenMediaEngineSecret: string | null;
  /** HLS address of the deployment's streaming server for viewers, with `{streamPath}` and `{token}`; null: this service. */
  readonly playbackUrl: string | null;
  /** Like `playbackUrl`, for RTMP players; null: none. */
  readonly rtmpPlaybackUrl: string | null;
}

declare module '../platform/config.js' {
  interface Config {
    readonly live: LiveConfig;
  }
}

export const streamingSettings: Settings<{ live: LiveConfig }> = {
  variables: Joi.object(
    settingGroup('Live', {
      LIVE_RENDITIONS: text
        .pattern(/^\d{3,4}(\s*,\s*\d{3,4}){0,5}$/)
        .default('720,480,240')
        .tag('choose')
        .description('heights in pixels; a source is not scaled up'),
      LIVE_PRESET: text
        .valid('ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium')
        .default('superfast')
        .description('x264 preset'),
      LIVE_CONCURRENCY: integer
        .min(1)
        .default(2)
        .description('publications that one live process packages at a time; it rejects further ones'),
      LIVE_RECONNECT_SECONDS: integer
        .min(5)
        .max(3600)
        .default(60)
        .description('an encoder that returns within this time continues its session'),
      LIVE_DVR_SECONDS: integer.min(30).max(86_400).default(7200).description('maximum rewind of viewers'),
      LIVE_LOW_LATENCY: Joi.boolean()
        .default(true)
        .description('playlists list half-second parts; `false`: only complete segments of 2 s'),
      LIVE_PARTS_HOST: text
        .default('127.0.0.1')
        .description('interface of a live process where web processes read the parts'),
      LIVE_PARTS_PORT: integer.min(0).max(65_535).default(0).description('its port; `0`: any free port'),
      LIVE_PARTS_URL: webAddress.description(
        'its address for web processes on other machines. Default: `LIVE_PARTS_HOST` and the port',
      ),
      RTMP_HOST: text
        .default('0.0.0.0')
        .description('interface that the RTMP server listens on; with `npm start`, the value of `HOST`'),
      RTMP_PORT: integer
        .min(0)
        .max(65_535)
        .default(1935)
        .description(
          'its port. If it is in use, `npm start` takes another one, stores it in `DATA_DIR/rtmp.json`, and prints it',
        ),
      RTMP_PROXY_HOSTS: networks.description(
        'addresses and networks (`10.0.0.0/8`) of load balancers, which begin each connection with a PROXY header',
      ),
      RTMPS_PORT: integer.min(0).max(65_535).description('port of RTMP over TLS'),
      RTMPS_CERTIFICATE_FILE: text.description('its certificate in PEM format, read again after a change'),
      RTMPS_KEY_FILE: text.description('its key in PEM format, read again after a change'),
      LIVE_BASE_URL: rtmpAddress.description(
        'server address for encoders, without the stream path. Default: `rtmp://<host of PUBLIC_URL>:<RTMP_PORT>/live`',
      ),
      LIVE_PULL_URL: text
        .pattern(/^(rtmps?|rtsps?|srt|https?):\/\/\S*\{streamPath\}/)
        .description(
          'address from which live processes pull a publication of an external streaming server, with `{streamPath}` and `{app}`. Required in web and live processes',
        ),
      LIVE_PLAYBACK_URL: text
        .pattern(/^https?:\/\/\S*\{streamPath\}\S*\{token\}|^https?:\/\/\S*\{token\}\S*\{streamPath\}/)
        .description(
          'HLS address of your own streaming server for viewers, with `{streamPath}` and `{token}`. `LIVE_PULL_URL` is then optional',
        ),
      LIVE_RTMP_PLAYBACK_URL: text
        .pattern(/^rtmps?:\/\/\S*\{streamPath\}/)
        .description('RTMP address of your own streaming server for viewers, with `{streamPath}`'),
      OVENMEDIAENGINE_SECRET: secret.description(
        'secret for the signatures of OvenMediaEngine’s webhooks, which are rejected without it',
      ),
    }),
  ).and('RTMPS_PORT', 'RTMPS_CERTIFICATE_FILE', 'RTMPS_KEY_FILE'),
  configOf: (env) => ({
    live: {
      baseUrl: baseAddress(env['LIVE_BASE_URL']),
      rtmp: {
        host: env['RTMP_HOST'],
        port: env['RTMP_PORT'],
        proxyHosts: commaSeparated(env['RTMP_PROXY_HOSTS'] ?? ''),
        tls:
          env['RTMPS_PORT'] === undefined
            ? null
            : {
                port: env['RTMPS_PORT'],
                certificateFile: env['RTMPS_CERTIFICATE_FILE'],
                keyFile: env['RTMPS_KEY_FILE'],
              },
      },
      concurrency: env['LIVE_CONCURRENCY'],
      reconnectSeconds: env['LIVE_RECONNECT_SECONDS'],
      renditionHeights: [...new Set(commaSeparated(env['LIVE_RENDITIONS']).map(Number))].toSorted((a, b) => b - a),
      preset: env['LIVE_PRESET'],
      rewindSeconds: env['LIVE_DVR_SECONDS'],
      pullUrl: env['LIVE_PULL_URL'] ?? null,
      parts: env['LIVE_LOW_LATENCY']
        ? {
            host: env['LIVE_PARTS_HOST'],
            port: env['LIVE_PARTS_PORT'],
            url: baseAddress(env['LIVE_PARTS_URL']),
          }
        : null,
      ovenMediaEngineSecret: env['OVENMEDIAENGINE_SECRET'] ?? null,
      playbackUrl: env['LIVE_PLAYBACK_URL'] ?? null,
      rtmpPlaybackUrl: env['LIVE_RTMP_PLAYBACK_URL'] ?? null,
    },
  }),
};

/** To be followed by a path that begins with a slash. */
function baseAddress(url: string | undefined): string | null {
  return url === undefined ? null : withoutTrailing(url, '/');
}
