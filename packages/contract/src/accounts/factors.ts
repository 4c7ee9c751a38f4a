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
/** Binary values travel as base64url, as WebAuthn writes them in JSON. */
const Base64Url = (maxLength: number, example: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength, examples: [example] })
const CredentialId = Base64Url(1_400, 'AAECAwQFBgcICQoLDA0ODw')
const ClientData = Base64Url(4_096, 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0')

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

const Transports = Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$', examples: ['internal'] }), {
  maxItems: 8,
})
const KnownPasskey = Type.Object({
  id: Type.String(),
  type: Type.String(),
  transports: Type.Optional(Type.Array(Type.String())),
})
/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
const PasskeyRequest = Type.Object({
  challenge: Type.String(),
  rpId: Type.Optional(Type.String()),
  timeout: Type.Optional(Type.Integer()),
  allowCredentials: Type.Optional(Type.Array(KnownPasskey)),
  userVerification: Type.Optional(oneOf(['required', 'preferred', 'discouraged'])),
})
/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
const PasskeyCreation = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ name: Type.String(), id: Type.Optional(Type.String()) }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(
    Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() }),
  ),
  timeout: Type.Optional(Type.Integer()),
  excludeCredentials: Type.Optional(Type.Array(KnownPasskey)),
  authenticatorSelection: Type.Optional(
    Type.Object({
      residentKey: Type.Optional(oneOf(['required', 'preferred', 'discouraged'])),
      userVerification: Type.Optional(oneOf(['required', 'preferred', 'discouraged'])),
    }),
  ),
  attestation: Type.Optional(oneOf(['direct', 'enterprise', 'indirect', 'none'])),
})

export const NewPasskey = Type.Object({
  options: PasskeyCreation,
  expiresAt: Instant,
})
export const ConfirmPasskey = strict({
  name: FactorName,
  credential: strict({
    id: CredentialId,
    clientDataJSON: ClientData,
    attestationObject: Base64Url(16_384, 'o2NmbXRkbm9uZQ'),
    transports: Type.Optional(Transports),
  }),
})
const UsedPasskey = strict({
  id: CredentialId,
  clientDataJSON: ClientData,
  authenticatorData: Base64Url(4_096, 'SZYN5YgOjGh0NBcPZHZgW4'),
  signature: Base64Url(4_096, 'MEUCIQDTGVxhrZwtbpIKnm1b'),
})
export const PasskeyChallenge = Type.Object({
  options: PasskeyRequest,
  expiresAt: Instant,
})
export const ProveByPasskey = strict({ credential: UsedPasskey })

export const AskForPasskey = strict({ signInToken: Type.Optional(SignInToken) })
export const SignInChallenge = Type.Object({
  signInToken: SignInToken,
  ...PasskeyChallenge.properties,
})
export const SignInWithPasskey = strict({
  signInToken: SignInToken,
  credential: UsedPasskey,
  ...SESSION,
})
