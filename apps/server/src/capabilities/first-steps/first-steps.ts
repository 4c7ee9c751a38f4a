import { FIRST_STEPS } from '@placard/contract/first-steps'

export type StepName = (typeof FIRST_STEPS)[number]

/** Whether each step is done. */
export type StepFacts = Readonly<Record<StepName, boolean>>

export interface Step {
  readonly name: StepName
  readonly isDone: boolean
}

/** The steps in their order. */
export const stepsOf = (facts: StepFacts): Step[] =>
  FIRST_STEPS.map((name) => ({ name, isDone: facts[name] }))

interface Ground {
  readonly steps: readonly Step[]
  readonly isProduction: boolean
  readonly isPutAside: boolean
}

/** Whether the list is shown. The demo has all it needs. */
export const isOpen = ({ steps, isProduction, isPutAside }: Ground): boolean =>
  isProduction && !isPutAside && steps.some(({ isDone }) => !isDone)

const MAIL_SETTINGS = ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL'] as const

export type MailSettings = Partial<Readonly<Record<(typeof MAIL_SETTINGS)[number], string>>>

/** Settings that mails need and nobody has given. */
export const missingSettings = (settings: MailSettings): string[] =>
  MAIL_SETTINGS.filter((name) => !settings[name])

const FAILURE_MAX = 500

/** What a failed attempt says to people, on one line. */
export const sayFailure = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replaceAll(/\s+/g, ' ')
    .slice(0, FAILURE_MAX)
