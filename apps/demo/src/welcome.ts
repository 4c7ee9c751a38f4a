import { DEMO_PASSWORD, SIGN_INS } from './data/people.ts'

export interface Started {
  readonly address: string
  readonly home: string
  readonly seconds: number
}

/** What a newcomer sees first. */
export function welcome({ address, home, seconds }: Started): string {
  const signIns = SIGN_INS.map(
    ({ role, email, of }) => `    ${role.padEnd(11)} ${email.padEnd(36)} ${of}`,
  )
  return [
    '',
    `  Placard is ready in ${seconds.toFixed(1)} s`,
    '',
    `  Console     ${address}/`,
    `  Demo shop   ${address}/demo`,
    `  API         ${address}/api/v1`,
    `  Reference   ${address}/docs`,
    `  Guides      docs/guides/, one for each role`,
    '',
    `  Sign in as one of these; the password is always "${DEMO_PASSWORD}"`,
    '',
    ...signIns,
    '',
    `  Data and log lie in ${home}: delete the folder to begin anew.`,
    '  Stop with Ctrl-C; the next start keeps everything.',
    '',
  ].join('\n')
}
