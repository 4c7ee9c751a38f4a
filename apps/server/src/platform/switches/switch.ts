/** Something that must act at once when it is turned: learning, blocking, a kill switch. */
export interface Switch {
  /** `<capability>.<what-is-on>`. */
  readonly name: string
  /** What an operator should know before turning it, in one sentence. */
  readonly about: string
  /** What holds as long as nobody has turned it. */
  readonly defaultOn: boolean
}

const NAME = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/

export function defineSwitch(definition: Switch): Switch {
  if (!NAME.test(definition.name)) {
    throw new Error(`"${definition.name}" is no switch name: write <capability>.<what-is-on>`)
  }
  return definition
}

/** A switch as it stands. */
export interface SwitchState extends Switch {
  readonly isOn: boolean
  /** Why it was turned, in the words of whoever did. */
  readonly note: string
  /** 0 as long as nobody has turned it. */
  readonly version: number
  readonly updatedAt: Date | undefined
  readonly updatedBy: string | undefined
}
