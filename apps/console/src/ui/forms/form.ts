import { useState } from 'react'
import { faultsOf } from '../../api/problem.ts'

type Texts<Name extends string> = Readonly<Record<Name, string>>

/**
 * A form's values by the API's field names, so that the server's faults find their fields. Only the
 * server validates.
 */
export function useForm<Name extends string>(initial: Texts<Name>, error?: unknown) {
  const [values, setValues] = useState(initial)
  const faults = faultsOf(error)
  const set = (change: Partial<Texts<Name>>) => setValues((before) => ({ ...before, ...change }))
  const field = (name: Name) => ({
    value: values[name],
    onValue: (value: string) => set({ [name]: value } as Partial<Texts<Name>>),
    fault: faults[name],
  })
  return { values, set, field }
}

/** An empty field clears the stored value. */
export const orNull = (text: string | undefined) =>
  text === undefined || text === '' ? null : text
