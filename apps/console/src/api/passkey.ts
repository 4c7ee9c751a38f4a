import { PlacardProblem } from '@placard/client'
import type { NewPasskey, PasskeyChallenge } from '@placard/contract/factors'
import type { Static } from 'typebox'

/** Loaded on demand: few sign-ins use passkeys. */
const library = () => import('@simplewebauthn/browser')

/** A passkey belongs to a host name. Under another name of the console, the browser has none. */
export const canUsePasskeys = (host: string | null | undefined): boolean =>
  host === location.hostname && 'PublicKeyCredential' in window

/** The browser asks for a passkey, and the user for a finger, a face or a PIN. */
export async function askPasskey({ options }: Pick<Static<typeof PasskeyChallenge>, 'options'>) {
  const { startAuthentication } = await library()
  const { id, response } = await startAuthentication({ optionsJSON: options }).catch(sayCancelled)
  const { clientDataJSON, authenticatorData, signature } = response
  return { id, clientDataJSON, authenticatorData, signature }
}

/** Lets the browser, a phone or a security key create a passkey. */
export async function makePasskey({ options }: Pick<Static<typeof NewPasskey>, 'options'>) {
  const { startRegistration } = await library()
  const { id, response } = await startRegistration({ optionsJSON: options }).catch(sayCancelled)
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports }
}

/** Browsers hide the reason, so that a site cannot find out that the user cancelled. */
function sayCancelled(error: unknown): never {
  const isKnown = error instanceof Error && error.name === 'InvalidStateError'
  throw new PlacardProblem(
    isKnown
      ? { status: 0, title: 'This device has a passkey for your account already' }
      : {
          status: 0,
          title: 'No passkey was used',
          detail: 'It was cancelled or took too long. Try again.',
        },
    error,
  )
}
