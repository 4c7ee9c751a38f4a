import type { Context } from '@placard/decision-engine'
import Bowser from 'bowser'
import { LRUCache } from 'lru-cache'
import { deviceOf } from './context.ts'

const AGENTS_KEPT = 10_000
/** Real ones are half as long; what lies behind would only feed the parser. */
const AGENT_LENGTH_MAX = 512

export interface Devices {
  deviceOf(userAgent: string | undefined): Context['device']
}

/** The kind of device behind a user agent. Parsed once: most requests come from a few agents. */
export function createDevices(): Devices {
  const known = new LRUCache<string, { readonly device: Context['device'] }>({ max: AGENTS_KEPT })
  return {
    deviceOf(userAgent) {
      if (!userAgent) return undefined
      const agent =
        userAgent.length > AGENT_LENGTH_MAX ? userAgent.slice(0, AGENT_LENGTH_MAX) : userAgent
      let found = known.get(agent)
      if (found === undefined) {
        found = { device: deviceOf(Bowser.getParser(agent).getPlatformType(), agent) }
        known.set(agent, found)
      }
      return found.device
    },
  }
}
