import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_USER, UserDirectory } from './user-directory.ts'

const USERS_MAX = 24

test('users are found, removed and reused as in a map ordered by last visit', () => {
  const steps = fc.array(
    fc.record({ do: fc.constantFrom('visit', 'add', 'add', 'delete'), name: fc.nat({ max: 60 }) }),
    { maxLength: 200, size: 'max' },
  )
  const agrees = fc.property(steps, (steps) => {
    const directory = new UserDirectory(USERS_MAX)
    const map = new Map<string, number>()
    for (const step of steps) {
      const key = `user ${step.name}`
      const known = map.get(key) ?? NO_USER
      expect(directory.visit(key)).toBe(known)
      map.delete(key)
      if (known !== NO_USER && step.do !== 'delete') map.set(key, known)
      if (known !== NO_USER && step.do === 'delete') directory.delete(known)
      if (known === NO_USER && step.do === 'add') {
        if (directory.isFull) {
          directory.delete(directory.oldest)
          map.delete(map.keys().next().value!)
        }
        map.set(key, directory.add(key))
      }
      expect(directory.size).toBe(map.size)
      expect(directory.oldest).toBe(map.values().next().value ?? NO_USER)
      expect(new Set(map.values()).size).toBe(map.size)
    }
  })

  expect(() => fc.assert(agrees, { numRuns: 100, seed: 7 })).not.toThrow()
})

test('a full directory takes no new user before another is removed', () => {
  const directory = new UserDirectory(1)
  directory.add('a')

  expect(() => directory.add('b')).toThrow('full')
})

test('two hundred thousand names have two hundred thousand fingerprints', () => {
  const names = 200_000
  const directory = new UserDirectory(names)

  for (let name = 0; name < names; name++) {
    if (directory.visit(`user-${name}`) === NO_USER) directory.add(`user-${name}`)
  }

  expect(directory.size).toBe(names)
})
