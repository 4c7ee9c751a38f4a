import { hash, verify } from '@node-rs/argon2'

export interface Passwords {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

export interface Argon2Cost {
  readonly memoryKib: number
  readonly passes: number
}

/** The library defaults to argon2id. The cost is OWASP's first choice: 19 MiB, two passes. */
export const DEFAULT_COST: Argon2Cost = { memoryKib: 19_456, passes: 2 }

export function argon2Passwords({ memoryKib, passes }: Argon2Cost = DEFAULT_COST): Passwords {
  return {
    hash: (password) =>
      hash(password, {
        memoryCost: memoryKib,
        timeCost: passes,
        parallelism: 1,
      }),
    verify: (passwordHash, password) => verify(passwordHash, password),
  }
}
