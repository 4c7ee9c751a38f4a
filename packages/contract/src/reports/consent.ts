import { Type, type Static } from 'typebox'
import { oneOf, strict } from '../shared.ts'

const Day = (description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string>({ type: 'string', format: 'date', description, examples: [example] }),
  )

export const CONSENT_SIGNALS = [
  'none',
  'tcf',
  'gpp',
  'us-privacy',
  'coppa',
  'flags',
  'gpc',
  'dnt',
  'limited-tracking',
  'opt-out',
] as const

export const ConsentReportQuery = strict({
  from: Day('A UTC day; default: 28 days before `to`', '2026-06-01'),
  to: Day('Last day, included; default: today', '2026-06-28'),
})
export type ConsentReportQuery = Static<typeof ConsentReportQuery>

export const ConsentReport = Type.Object({
  from: Type.String(),
  to: Type.String(),
  requests: Type.Integer({ description: 'Ad requests of these days' }),
  signals: Type.Array(
    Type.Object({
      signal: oneOf(CONSENT_SIGNALS),
      requests: Type.Integer(),
      share: Type.Number({ description: 'Of all requests, from 0 to 1' }),
    }),
    {
      description: '`signal` is the first one that refused something; `none`: nothing was refused',
    },
  ),
})
