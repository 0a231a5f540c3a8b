import type { ReadTunable } from './tunable.js';
import type { RedisConfig } from './queue/index.js';
import type { QueueName } from './queueNames.js';

/** The settings of the process itself and of the servers it uses. */
export interface PlatformConfig {
  readonly process: 'web' | 'worker' | 'live' | 'clock' | 'script';
  /** Reads the value of a `Tunable`. */
  readonly limit: ReadTunable;
  readonly service: {
    /** The word in `X-<name>-timezone` and `X-<name>-progressbarId`. */
    readonly name: string;
    readonly urnNamespace: string;
    readonly integrationName: string;
    /** Path before every route: empty, or such as `/platform`. */
    readonly basePath: string;
    /** Scheme, host and base path of every address that the service returns, without a trailing slash. */
    readonly publicUrl: string;
    /** Milliseconds to add to UTC if a request names no time zone. */
    readonly defaultOffsetMs: number;
  };
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** A unix socket in addition to the port; null: none. */
    readonly socketPath: string | null;
    /** Express `trust proxy`: number of proxies in front of the process. */
    readonly proxyHops: number;
    /** Maximum size of an upload, for all users. */
    readonly uploadLimitBytes: number;
  };
  /** The sequence after SIGTERM. */
  readonly stop: {
    /** A web process keeps serving for this long, while `/readyz` responds 503. It then closes its port. */
    readonly drainSeconds: number;
    /** Maximum time for requests and jobs in progress after that. */
    readonly shutdownSeconds: number;
  };
  readonly dataDir: string;
  /** A disk with less free space is reported; 0: no check. */
  readonly storageMinFreeBytes: number;
  readonly logLevel: string;
  /** Empty if unknown. */
  readonly buildCommit: string;
  readonly database: {
    readonly url: string;
    readonly poolSize: number;
    /** The server cancels longer statements of web processes; 0: no limit. */
    readonly statementTimeoutSeconds: number;
    /** The same for workers and the clock. */
    readonly workerStatementTimeoutSeconds: number;
  };
  /** Endpoint for traces: OTLP over HTTP. Null: no traces are recorded. */
  readonly tracing: { readonly endpoint: string; readonly serviceName: string } | null;
  /** A streaming replica for public reads, used by web processes. */
  readonly databaseReplica: {
    readonly url: string;
    readonly poolSize: number;
    /** A replica with a greater lag is not used. */
    readonly maxLagSeconds: number;
  } | null;
  /**
   * The database with the queues of BullMQ on PostgreSQL: the same one. Its notifications need sessions, which a pooler may not
   * support.
   */
  readonly queueDatabase: {
    readonly url: string;
    /** Connections of a process that only adds jobs; a process that serves queues has twice as many. */
    readonly poolSize: number;
  };
  /** Null: BullMQ keeps its queues in the database. */
  readonly redis: RedisConfig | null;
  /** Prefix of keys in a shared Redis. */
  readonly queuePrefix: string;
  /** Null: search on PostgreSQL. */
  readonly meili: { readonly url: string; readonly apiKey: string; readonly indexPrefix: string } | null;
  /** Null: files under `dataDir/files`. */
  readonly s3: {
    readonly bucket: string;
    readonly region: string;
    readonly endpoint: string | null;
    readonly accessKeyId: string | null;
    readonly secretAccessKey: string | null;
    readonly forcePathStyle: boolean;
    readonly prefix: string;
  } | null;
  readonly mail: {
    readonly smtpUrl: string | null;
    readonly from: string;
    /** Further hosts permitted in mailed links, in addition to that of `publicUrl`. */
    readonly linkHosts: readonly string[];
  };
  /** Login of streaming servers and edges; null: there are none, and all credentials are rejected. */
  readonly integration: { readonly user: string; readonly password: string } | null;
  readonly operator: { readonly user: string; readonly password: string };
  /** Encrypts values that must be decrypted later (live passwords); 32 bytes in hex. */
  readonly encryptionKey: string;
  /** Networks that requests to user-supplied addresses may reach, in addition to public ones. */
  readonly outgoing: { readonly allowedNetworks: readonly string[] };
  readonly worker: {
    readonly queues: readonly QueueName[];
    /** Length of a lease. If a worker has not renewed the lease for 1.5 times this long, another worker receives the job. */
    readonly lockSeconds: number;
    /** Port of the worker's own `/metrics`; null: none. */
    readonly metricsPort: number | null;
    readonly mediaConcurrency: number;
    /** Threads of one transcode; 0: chosen by the encoder. */
    readonly mediaThreads: number;
  };
}

/**
 * All settings of a process: read from the environment once, validated, frozen. Nothing else reads `process.env`. A domain adds
 * its own member next to the declaration of its variables, with `declare module`: see `shared/<domain>/<domain>.settings.ts`.
 * `shared/settings.ts` composes them.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- domains add members
export interface Config extends PlatformConfig {}

/** The environment is invalid. `faults` has one sentence for each invalid variable. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The settings are invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}
