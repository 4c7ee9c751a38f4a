export {
  createClient,
  type AnswerOf,
  type Client,
  type ListName,
  type OperationName,
  type RowOf,
} from './client.ts'
export { PlacardProblem, type ProblemFault } from './problem.ts'
export { signedIn, type SessionOptions } from './session.ts'
export {
  type AccessToken,
  type ClientOptions,
  createTransport,
  type Given,
  type Options,
  type Send,
} from './transport.ts'
