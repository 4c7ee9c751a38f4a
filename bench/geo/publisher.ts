import { ObservationPublisher } from '@placard/client/observations'
import { median, rounded } from '../scratch.ts'

const CALLS = 200_000
const WINDOWS = 7

/** CPU time per request: half of the observations are new and find a full queue, half are skipped as repeats. */
export function measurePublisher(): { publisherMicros: number } {
  const requests = Array.from({ length: CALLS }, (_, i) => ({
    userId: `user-${i >> 1}`,
    deviceSessionId: `device-session-${i >> 1}`,
    ipAddress: '192.0.2.1',
  }))
  const windows = Array.from({ length: WINDOWS }, () => {
    const publisher = new ObservationPublisher({
      now: () => performance.now(),
      transport: () => new Promise(() => {}),
    })
    const begun = process.cpuUsage()
    for (const request of requests) publisher.publish(request)
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / CALLS
  })
  return { publisherMicros: rounded(median(windows), 3) }
}
