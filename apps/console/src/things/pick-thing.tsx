import { useEffect } from 'react'
import { useRead } from '../api/hooks.ts'
import type { PageOf } from '../api/types.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Field } from '../ui/forms/fields.tsx'
import { type Choosable, SearchPicker } from '../ui/forms/search-picker.tsx'
import type { Place } from './thing.ts'

interface PickProps<Row> {
  readonly of: Choosable<Row>
  readonly label: string
  readonly hint?: string
  readonly fault?: string | undefined
  readonly isOptional?: boolean
  readonly makeAt: Place | undefined
  readonly value: string
  readonly onValue: (value: string) => void
}

/** If there is only one, it is chosen. If there is none, a link leads to where it is made. */
export function PickThing<Row>({ of, makeAt, ...rest }: PickProps<Row>) {
  const { value, onValue, isOptional, label } = rest
  const some = useRead<PageOf<Row>>(of.path, { query: { ...of.query, limit: 2 } })
  const rows = some.data?.items
  const only = rows?.length === 1 && !isOptional ? of.choiceOf(rows[0]!).value : ''
  useEffect(() => {
    if (only && !value) onValue(only)
  }, [only, value, onValue])
  if (rows?.length !== 0 || !makeAt) return <SearchPicker {...rest} of={of} />
  return (
    <Field label={label} {...(rest.fault !== undefined && { fault: rest.fault })}>
      {() => <ButtonLink to={makeAt.to}>{makeAt.label}</ButtonLink>}
    </Field>
  )
}
