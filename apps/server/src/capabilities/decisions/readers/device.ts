import type { Context } from '@placard/decision-engine'
import Bowser from 'bowser'
import { deviceOf } from './context.ts'

/** The kind of device behind a user agent. */
export const deviceOfAgent = (userAgent: string): Context['device'] =>
  deviceOf(Bowser.getParser(userAgent).getPlatformType(), userAgent)
