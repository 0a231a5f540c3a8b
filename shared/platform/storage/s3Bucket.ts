import { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import { assertKey } from './keys.js';
import type { ObjectTarget } from './multipart.js';
import { OptionalOperations } from './optionalOperations.js';

type Settings = NonNullable<Config['s3']>;

/** A bucket, or a folder of a bucket. */
export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  readonly prefix: string;
  readonly optional: OptionalOperations;
}

export function openBucket(settings: Settings, log: Pick<Logger, 'warn'>): Bucket {
  return {
    ...{ client: clientOf(settings), name: settings.bucket, prefix: settings.prefix },
    optional: new OptionalOperations(log),
  };
}

/**
 * The SDK prints warnings, once per process, about Node versions that its future releases will not support. The release in
 * package.json supports this Node, and an operator cannot change it. Only this variable disables the warning.
 */
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

function clientOf(settings: Settings): S3Client {
  const { accessKeyId, secretAccessKey } = settings;
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    ...(settings.endpoint ? { endpoint: settings.endpoint } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  });
}

/** Throws a TypeError for an invalid key. */
export function targetOf(bucket: Bucket, key: string): ObjectTarget {
  return { Bucket: bucket.name, Key: bucket.prefix + assertKey(key) };
}

/** Whether an object does not exist. */
export function isObjectAbsent(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NoSuchKey' || name === 'NotFound' || ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket');
}
