import { setTimeout as sleep } from 'node:timers/promises';
import { discardContent } from '../../../shared/content/content.lifecycle.js';
import { medianOf, type Figure } from '../figure.js';
import { publishEvent, putOnAir, type RecordedEventFiles } from '../recordedEvent.js';
import { startService, type Service } from '../service.js';

/** An encoder goes on after the end: the segment during which the event ends is stored so much later. */
const lastSegmentMs = 1_500;
const pollEveryMs = 50;
const maxMs = 120_000;

export const recordingFigure: Figure = {
  name: 'recording',
  title: "A live event's end to its READY recording, event of 10 min",
  target: { atMost: 10 },
  targetUnit: 's',
  method:
    'An event of 10 min in 720p, 480p and 240p (about 5.5 Mbit/s together, 300 segments of two seconds in each), as a live process ' +
    'stores it. The encoder goes on after the end: the segment during which the event ends is stored 1.5 s after the end. From ' +
    'the end of the event until its box item is READY, in all renditions, with the built live process and one worker process for ' +
    'all queues.',
  async measure(bench) {
    const published = await publishEvent(bench, bench.quick ? 60 : 600);
    const service = await startService(bench, { RTMP_PORT: '0', RTMP_HOST: '127.0.0.1' });
    await bench.start('workers/main.js', service.environment);
    await bench.start('workers/live.js', service.environment);
    const rounds = bench.quick ? 1 : 3;
    const seconds: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      seconds.push(await measureOnce(service, published));
      bench.onProgress(((round + 1) / rounds) * 100);
    }
    const [ours, range] = [
      medianOf(seconds),
      `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s`,
    ];
    return { unit: 's', ours, reference: null, result: ours, note: `${rounds} rounds, ${range}` };
  },
};

async function measureOnce({ ctx, user }: Service, published: RecordedEventFiles): Promise<number> {
  const event = await putOnAir(ctx, user.id, published);
  const endsAt = event.endsAt.getTime();
  const stored = sleep(endsAt + lastSegmentMs - Date.now()).then(() => event.storeLastSegment());
  for (;;) {
    const [content] = await ctx.db.rows<{ id: string; state: string }>(
      `SELECT content.id, content.state
         FROM live_recordings recording JOIN box_items item ON item.id = recording.box_item_id
              JOIN contents content ON content.id = item.content_id
        WHERE recording.event_id = $eventId AND content.state <> 'PENDING'`,
      { eventId: event.eventId },
    );
    const milliseconds = Date.now() - endsAt;
    if (content?.state === 'READY') {
      await stored;
      // The full generation would run during the next round.
      await ctx.db.transaction((tx) => discardContent(ctx, tx, content.id));
      return milliseconds / 1000;
    }
    if (content || milliseconds > maxMs) throw new Error(`the recording is ${content?.state ?? 'still not there'}`);
    await sleep(pollEveryMs);
  }
}
