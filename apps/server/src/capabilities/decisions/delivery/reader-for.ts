import type { Context } from '@placard/decision-engine'
import type { HeldRule } from './store.ts'

/** A reader whom these rules admit, as far as a request can say who reads. */
export function readerFor(rules: readonly HeldRule[]): Context {
  return Object.assign({}, ...rules.map(partOf)) as Context
}

function partOf({ type, operator, value }: HeldRule): Partial<Context> {
  const [first, ...others] = 'values' in value ? value.values.map(String) : []
  if (type === 'login_state') return { loggedIn: 'value' in value && value.value === 'logged_in' }
  if (type === 'new_visitor') return { newVisitor: 'value' in value && value.value === true }
  if (operator === 'not_in' || first === undefined) return {}
  if (type === 'country') return { country: first }
  if (type === 'language') return { language: first }
  if (type === 'referrer_domain') return { referrerDomain: first }
  if (type === 'device') return { device: first as NonNullable<Context['device']> }
  if (type !== 'user_segment') return {}
  return { segments: operator === 'contains_all' ? [first, ...others] : [first] }
}
