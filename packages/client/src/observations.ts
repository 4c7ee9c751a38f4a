export { addressText } from './ip-address.ts'
export {
  httpTransport,
  ObservationPublisher,
  type PublisherCounts,
  type SeenRequest,
  type Transport,
} from './publisher.ts'
export { OBSERVATION_BYTES_MAX, type ObservationNote, readObservation } from './read-observation.ts'
export { writeObservation } from './write-observation.ts'
