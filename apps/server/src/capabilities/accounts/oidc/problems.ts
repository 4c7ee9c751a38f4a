import { problemsOfDeletable, type ProblemKind } from '../../../platform/problem.ts'

const provider = problemsOfDeletable('identity provider')

export const oidcProblems = {
  providerNotFound: provider.notFound,
  providerAlreadyDeleted: provider.alreadyDeleted,
  providerNotDeleted: provider.notDeleted,
  slugExists: {
    code: 'IDENTITY_PROVIDER_SLUG_EXISTS',
    status: 409,
    title: 'Another identity provider has that slug',
    remedy: 'Choose another slug. That of a deleted provider stays taken: restore it.',
  },
  issuerRefused: {
    code: 'ISSUER_REFUSED',
    status: 400,
    title: 'We do not call that issuer',
    remedy:
      'Take an https address on the internet, or list its host in `OIDC_ALLOWED_HOSTS`. Of Entra ID take the address with the id of your tenant.',
  },
  publicUrlNotSet: {
    code: 'PUBLIC_URL_NOT_SET',
    status: 409,
    title: 'Nobody can come back from an identity provider before PUBLIC_URL is set',
    remedy: 'Ask the operator to set it.',
  },
  providerUnreachable: {
    code: 'IDENTITY_PROVIDER_UNREACHABLE',
    status: 424,
    title: 'The identity provider does not answer as it should',
    remedy: 'Try again in a minute. An operator sees the reason under Operations.',
  },
  flowRefused: {
    code: 'EXTERNAL_SIGN_IN_OVER',
    status: 401,
    title: 'This sign-in took too long, was used before, or began somewhere else',
    remedy: 'Begin again on the sign-in page.',
  },
  providerDeclined: {
    code: 'IDENTITY_PROVIDER_DECLINED',
    status: 401,
    title: 'The identity provider did not sign you in',
    remedy: 'Try again, and agree to share your name and e-mail address.',
  },
  answerRefused: {
    code: 'EXTERNAL_SIGN_IN_UNPROVEN',
    status: 401,
    title: 'The answer of the identity provider proves nothing',
    remedy: 'Begin again on the sign-in page. If it happens again, tell the operator.',
  },
  emailMissing: {
    code: 'EXTERNAL_EMAIL_MISSING',
    status: 403,
    title: 'The identity provider does not tell us your e-mail address',
    remedy: 'Ask the people who run it to share your address with Placard.',
  },
  emailUnverified: {
    code: 'EXTERNAL_EMAIL_UNVERIFIED',
    status: 403,
    title: 'The identity provider has not verified your e-mail address',
    remedy: 'Verify the address there, then sign in again.',
  },
  notAdmitted: {
    code: 'EXTERNAL_PERSON_NOT_ADMITTED',
    status: 403,
    title: 'You are signed in there, but nobody has given you access to Placard',
    remedy: 'Ask the operator of your platform for access, and name your e-mail address.',
  },
  emailHasUser: {
    code: 'EMAIL_HAS_USER',
    status: 409,
    title: 'A user with your e-mail address is here already',
    remedy:
      'Sign in with your password, then connect this sign-in under Account, Connected sign-ins.',
  },
  rulesDiffer: {
    code: 'RULES_DIFFER',
    status: 403,
    title: 'Your user here has another role or account than this sign-in may give',
    remedy: 'Sign in with your password, or ask the operator of your platform.',
  },
  entryRefused: {
    code: 'USER_MAY_NOT_ENTER',
    status: 403,
    title: 'Your user here is deactivated',
    remedy: 'Ask the operator of your platform.',
  },
  identityTaken: {
    code: 'EXTERNAL_IDENTITY_TAKEN',
    status: 409,
    title: 'That sign-in is connected already',
    remedy: 'Disconnect it from the other user first, or disconnect the one that you have there.',
  },
  identityNotFound: {
    code: 'EXTERNAL_IDENTITY_NOT_FOUND',
    status: 404,
    title: 'You have no such connected sign-in',
  },
  lastWayIn: {
    code: 'LAST_WAY_IN',
    status: 409,
    title: 'You could not sign in any more',
    remedy: 'Ask an operator for a link to choose a password first.',
  },
} satisfies Record<string, ProblemKind>
