/**
 * `no-partition`: the day of a row has no table yet. `repeated`: a row is there already. `row`: the rows themselves are refused, and would
 * be again. `passing`: anything else, from a lost connection to a schema that is being changed.
 */
export type WriteFault = 'no-partition' | 'repeated' | 'row' | 'passing'

const NO_PARTITION = '23514'
const REPEATED = '23505'

/** By SQLSTATE, wherever a library has wrapped it: classes 22 and 23 speak of the data. */
export function judgeFault(error: unknown): WriteFault {
  const {
    code,
    message = '',
    cause,
  } = error as { code?: string; message?: string; cause?: unknown }
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
    if (code === NO_PARTITION && message.includes('no partition')) return 'no-partition'
    if (code === REPEATED) return 'repeated'
    return code.startsWith('22') || code.startsWith('23') ? 'row' : 'passing'
  }
  return cause === undefined || cause === null ? 'passing' : judgeFault(cause)
}
