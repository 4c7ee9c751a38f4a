import { Type } from 'typebox'
import { choice } from './setting.ts'

export const DEMO_SETTINGS = {
  DEMO_VISITS_PER_SECOND: Type.Number({
    description: 'Simulated page visits of the demo; 0: none',
    minimum: 0,
    maximum: 100,
    default: 0.3,
  }),
  DEMO_PUBLIC: choice(
    '`on` lets a demo listen on an address that other machines reach, although its passwords are public',
    ['off', 'on'],
  ),
}
