import { Type } from 'typebox'
import { Instant, nullable, oneOf, strict, textOf, Uuid } from '../shared.ts'
import { DeviceName, GivenPassword, RefreshTokenIn } from './accounts.ts'

const SignInToken = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'Names a sign-in that waits for a second factor. Works once, for ten minutes',
  examples: ['zJx0cV4mWq8S2n6uB1eT9yRk3oL7aHfD5gPiXwUtQsE'],
})
const Code = Type.String({
  pattern: '^[0-9A-Za-z -]{6,40}$',
  description: 'The six digits of an authenticator app, or a recovery code. Each works once',
  examples: ['492039'],
})
const FactorName = textOf(60, 'My phone')
/** How the refresh token of the new session travels, as at the sign-in. */
const SESSION = {
  deviceName: Type.Optional(DeviceName),
  refreshTokenIn: Type.Optional(RefreshTokenIn),
}

const FactorKind = oneOf(['authenticator', 'passkey'])

/** The password is right, or another sign-in vouches for the user; a factor is still needed. */
export const FactorNeeded = Type.Object({
  signInToken: SignInToken,
  expiresAt: Instant,
  factors: Type.Array(oneOf(['authenticator', 'passkey', 'recovery-code']), {
    description: 'What the user can prove it with',
  }),
})
export const SignInWithCode = strict({ signInToken: SignInToken, code: Code, ...SESSION })

export const Factor = Type.Object({
  id: Uuid,
  kind: FactorKind,
  name: FactorName,
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
})
export const OwnFactors = Type.Object({
  items: Type.Array(Factor),
  recoveryCodesLeft: Type.Integer(),
  isRequired: Type.Boolean({ description: 'The last factor cannot be removed' }),
})
export const FactorParams = Type.Object({ factorId: Uuid })

export const NewAuthenticator = Type.Object({
  secret: Type.String({ description: 'To type into the app, in base32; shown once' }),
  address: Type.String({ description: 'The same as an `otpauth:` address, for a QR code' }),
  expiresAt: Instant,
})
export const ConfirmAuthenticator = strict({ name: FactorName, code: Code })

const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each signs you in once instead of a factor; shown once',
})
export const AddedFactor = Type.Object({
  factor: Factor,
  recoveryCodes: nullable(RecoveryCodes, 'Only with the first factor'),
})
export const NewRecoveryCodes = Type.Object({ recoveryCodes: RecoveryCodes })

export const ProveByPassword = strict({ password: GivenPassword })
export const ProveByCode = strict({ code: Code })
