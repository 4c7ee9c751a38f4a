import { Type } from 'typebox'
import { Instant, nullable, oneOf, strict } from './shared.ts'

/** What a new platform needs until its first ad is counted, in this order. */
export const FIRST_STEPS = [
  'organisation',
  'mail',
  'second-factor',
  'publisher',
  'site',
  'placement',
  'tag',
  'advertiser',
  'campaign',
  'impression',
] as const

export const FirstSteps = Type.Object({
  isOpen: Type.Boolean({
    description: 'False once every step is done, while the list is put aside, and in the demo',
  }),
  isPutAside: Type.Boolean(),
  steps: Type.Array(
    Type.Object({
      name: oneOf(FIRST_STEPS),
      isDone: Type.Boolean({ description: 'Read from the data; nobody sets it' }),
    }),
  ),
  mail: Type.Object(
    {
      missingSettings: Type.Array(Type.String({ examples: ['SMTP_URL'] }), {
        description: 'Settings that mails need and this server does not have',
      }),
      askedAt: nullable(Instant, 'When the last test mail was asked for'),
      acceptedAt: nullable(Instant, 'When the mail server accepted it'),
      failure: nullable(Type.String(), 'Why the mail server did not accept it'),
    },
    { description: 'The last test mail' },
  ),
})

export const PutFirstSteps = strict({
  isPutAside: Type.Boolean({
    description: 'True hides the list, false shows it again',
    examples: [true],
  }),
})

export const TestMail = Type.Object({
  sentTo: Type.String({ description: 'Your own address', examples: ['ada@company.example'] }),
})
