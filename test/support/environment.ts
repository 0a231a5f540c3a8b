/** Complete settings of a separate service: database, files and queues that no other test uses. */
export function testEnvironment(databaseUrl: string, dataDir: string): Record<string, string> {
  const redisUrl = process.env['TEST_REDIS_URL'];
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    OAUTH_CLIENT_ID: 'web',
    OAUTH_CLIENT_SECRET: 'web-client-secret',
    INTEGRATION_USER: 'streamer',
    INTEGRATION_PASSWORD: 'streamer-password',
    OPERATOR_USER: 'operator',
    OPERATOR_PASSWORD: 'operator-password',
    PLAYBACK_KEYS: 'k1:0123456789abcdef0123456789abcdef',
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    PAYMENTS: 'sandbox',
    MAIL_LINK_HOSTS: 'example.org,app.example.org',
    ENCODER_PRESET: 'ultrafast',
    // Tests of quick generations enable it; all other tests would process each video twice.
    QUICK_GENERATION: 'false',
    // No load balancer has to notice that a process stops.
    DRAIN_SECONDS: '0',
    ...(redisUrl ? { REDIS_URL: redisUrl, QUEUE_PREFIX: `t${dataDir.slice(-6)}` } : {}),
    ...meilisearch(dataDir),
    ...(process.env['FFMPEG_PATH'] ? { FFMPEG_PATH: process.env['FFMPEG_PATH'] } : {}),
    ...(process.env['FFPROBE_PATH'] ? { FFPROBE_PATH: process.env['FFPROBE_PATH'] } : {}),
  };
}

/** With `TEST_MEILI_URL`, all searches of the tests use that server, with separate indexes for each service. */
function meilisearch(dataDir: string): Record<string, string> {
  const url = process.env['TEST_MEILI_URL'];
  const key = process.env['TEST_MEILI_API_KEY'] ?? '';
  return url ? { MEILI_URL: url, MEILI_API_KEY: key, MEILI_INDEX_PREFIX: `t${dataDir.slice(-6)}_` } : {};
}
