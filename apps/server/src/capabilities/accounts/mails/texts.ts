import type { FactorKind } from '../factors/factor.ts'
import type { PersonalMail } from './mails.ts'

type Words = Omit<PersonalMail, 'to'>

const NOT_YOU =
  'If this was not you, change your password now, end all other sessions under Account in the console, and tell the operator of your platform.'

const words = (subject: string, ...lines: readonly string[]): Words => ({
  subject,
  text: `${lines.join('\n\n')}\n`,
})

const minuteOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const newDevice = (device: string, at: Date): Words =>
  words(
    'New sign-in to Placard',
    `Somebody signed in to your account on ${minuteOf(at)} from a device that we have not seen before: ${device}.`,
    'If this was you, there is nothing to do.',
    NOT_YOU,
  )

export const manyFailures = (at: Date, minutes: number): Words =>
  words(
    'Many failed sign-ins to Placard',
    `Until ${minuteOf(at)} somebody tried several wrong passwords for your account. For ${minutes} minutes we refuse sign-ins from devices that we do not know.`,
    'If this was you, wait and try again. If it was not you and your password is a good one, there is nothing to do.',
  )

export const passwordChanged = (at: Date): Words =>
  words(
    'Your Placard password was changed',
    `Your password was changed on ${minuteOf(at)}, and every session ended.`,
    NOT_YOU,
  )

export const invitation = (name: string, link: string): Words =>
  words(
    'You are invited to Placard',
    `Hello ${name},`,
    'an account was made for you. Choose a password to begin; the link works once, for three days:',
    link,
  )

export const passwordLink = (name: string, link: string): Words =>
  words(
    'Choose a new password for Placard',
    `Hello ${name},`,
    'somebody asked for a new password for your account. The link works once, for an hour:',
    link,
    'If it was not you, there is nothing to do: your password stays as it is.',
  )

export const confirmEmail = ({ old, email, link }: Record<'old' | 'email' | 'link', string>) =>
  words(
    'Confirm your new e-mail address for Placard',
    `The e-mail address of your account is to change from ${old} to ${email}. Both addresses have to agree, within a day:`,
    link,
    'If you do not want this, do nothing.',
  )

export const emailChanged = (email: string): Words =>
  words(
    'Your e-mail address for Placard was changed',
    `From now on you sign in with ${email}.`,
    NOT_YOU,
  )

export const manyWrongCodes = (at: Date, minutes: number): Words =>
  words(
    'Many wrong codes at the sign-in to Placard',
    `Until ${minuteOf(at)} somebody who knows your password entered several wrong codes. For ${minutes} minutes we accept no code from devices that we do not know.`,
    'If this was you, wait and try again.',
    NOT_YOU,
  )

const KINDS: Record<FactorKind, string> = {
  authenticator: 'the authenticator app',
  passkey: 'the passkey',
}

interface NamedFactor {
  readonly kind: FactorKind
  readonly name: string
}

export const factorAdded = ({ kind, name }: NamedFactor, at: Date): Words =>
  words(
    'A second factor was added to your Placard account',
    `On ${minuteOf(at)} ${KINDS[kind]} "${name}" was added to your account. From now on we ask for a second factor when you sign in.`,
    NOT_YOU,
  )

export const factorRemoved = ({ kind, name }: NamedFactor, at: Date): Words =>
  words(
    'A second factor was removed from your Placard account',
    `On ${minuteOf(at)} ${KINDS[kind]} "${name}" was removed from your account.`,
    NOT_YOU,
  )

export const factorsReset = (at: Date): Words =>
  words(
    'The second factors of your Placard account were removed',
    `On ${minuteOf(at)} an operator removed all your authenticator apps, passkeys and recovery codes, and ended your sessions. Sign in with your password, and set them up again under Account.`,
    'If you did not ask for this, change your password now and tell the operator of your platform.',
  )

export const recoveryCodeUsed = (at: Date, left: number): Words =>
  words(
    'A recovery code of your Placard account was used',
    `On ${minuteOf(at)} somebody used one of your recovery codes in place of a second factor. ${left} of them still work.`,
    NOT_YOU,
  )

export const recoveryCodesReplaced = (at: Date): Words =>
  words(
    'New recovery codes for your Placard account',
    `On ${minuteOf(at)} new recovery codes were made for your account. The old ones no longer work.`,
    NOT_YOU,
  )

export const identityConnected = ({ provider, email }: Record<'provider' | 'email', string>) =>
  words(
    'Another way to sign in to your Placard account',
    `From now on ${email} at ${provider} signs in to your account. You can disconnect it under Account in the console.`,
    NOT_YOU,
  )

export const identityDisconnected = (email: string): Words =>
  words(
    'A way to sign in to your Placard account is gone',
    `${email} does not sign in to your account any more, and the sessions that began so have ended.`,
    NOT_YOU,
  )
