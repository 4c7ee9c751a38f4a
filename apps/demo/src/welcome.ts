import { DEMO_PASSWORD, emailOf, OPERATOR } from './data/people.ts'

export interface Started {
  readonly address: string
  readonly home: string
  readonly seconds: number
}

/** Lines that the start prints for newcomers. */
export const welcome = ({ address, home, seconds }: Started): string => `
  Placard is ready in ${seconds.toFixed(1)} s

  Console     ${address}/
  Sign in     ${emailOf(OPERATOR)}, password "${DEMO_PASSWORD}";
              the sign-in page offers the other roles
  Demo shop   ${address}/demo
  API docs    ${address}/docs

  Data, log   ${home}
  Stop        Ctrl-C; the next start keeps the data
`
