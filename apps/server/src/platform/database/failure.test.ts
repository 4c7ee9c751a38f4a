import { expect, test } from 'vitest'
import { type DatabaseFailure, failureOf, reasonOf, sayStored, sqlErrorOf } from './failure.ts'

const coded = (code: string) => Object.assign(new Error('failed'), { code })

test.for<[DatabaseFailure | undefined, string, string]>([
  ['unavailable', 'ECONNREFUSED', 'nobody listens'],
  ['unavailable', 'ECONNRESET', 'the connection was cut'],
  ['unavailable', '57P01', 'the server shuts down'],
  ['unavailable', '57P03', 'the server starts up'],
  ['unavailable', '53300', 'there are too many connections'],
  ['unavailable', '53200', 'the server is out of memory'],
  ['busy', '55P03', 'a lock was not free in time'],
  ['busy', '57014', 'the statement ran into its timeout'],
  ['conflict', '40001', 'serialization failed'],
  ['conflict', '40P01', 'there was a deadlock'],
  ['rejected', '22003', 'a number is out of range'],
  ['rejected', '23505', 'the row exists already'],
  ['rejected', '23514', 'a check does not hold'],
  ['rejected', '54000', 'an index row is too large'],
  [undefined, '42P01', 'the table does not exist'],
  [undefined, 'ERR_INVALID_ARG_TYPE', 'the program is wrong'],
])('a failure is %s after %s: %s', ([failure, code]) => {
  expect(failureOf(coded(code))).toBe(failure)
  expect(failureOf(new Error('Failed query', { cause: coded(code) }))).toBe(failure)
})

test('a lost connection is recognised by the words of the driver', () => {
  expect(failureOf(new Error('Connection terminated unexpectedly'))).toBe('unavailable')
})

test('what is no error of the database has no failure', () => {
  expect([new TypeError('no'), undefined, null, 'text'].map(failureOf)).toEqual(
    Array(4).fill(undefined),
  )
})

test('the SQL state is found inside a wrapped error', () => {
  const wrapped = new Error('Failed query', { cause: coded('23505') })

  expect(sqlErrorOf(wrapped)).toEqual({ state: '23505', message: 'failed' })
  expect(sqlErrorOf(coded('ECONNREFUSED'))).toBeUndefined()
})

test('why something failed is told without the statement and its values', () => {
  const wrapped = new Error('Failed query: select $1 params: secret', { cause: coded('23505') })

  expect(reasonOf(wrapped)).toBe('The database refused the data (23505).')
  expect(reasonOf(new Error('Failed query: select $1'))).toBe('The database refused the data.')
  expect(reasonOf(new Error('users.example answered 500'))).toBe('users.example answered 500')
  expect(sayStored('Failed query: select $1')).toBe('The database refused the data.')
})
