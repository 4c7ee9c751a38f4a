export {
  createClient,
  type AnswerOf,
  type Client,
  type ClientOptions,
  type ListName,
  type OperationName,
  type Options,
  type RowOf,
} from './client.ts'
export { PlacardProblem, type ProblemFault } from './problem.ts'
export { signedIn, type SessionOptions } from './session.ts'
