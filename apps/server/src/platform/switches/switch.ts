/** A feature that operators turn on and off at once: learning, blocking, a kill switch. */
export interface Switch {
  /** `<capability>.<what-is-on>`. */
  readonly name: string
  /** What an operator should know before turning it, in one sentence. */
  readonly about: string
  /** State until somebody turns it. */
  readonly defaultOn: boolean
}

const NAME = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/

export function defineSwitch(definition: Switch): Switch {
  if (!NAME.test(definition.name)) {
    throw new Error(`"${definition.name}" is no switch name: write <capability>.<what-is-on>`)
  }
  return definition
}

/** The current state of a switch. */
export interface SwitchState extends Switch {
  readonly isOn: boolean
  /** Reason given by whoever turned it. */
  readonly note: string
  /** 0 until somebody turns it. */
  readonly version: number
  readonly updatedAt: Date | undefined
  readonly updatedBy: string | undefined
}
