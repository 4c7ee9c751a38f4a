import { Builder } from 'flatbuffers'
import { Observation } from './generated/observation.ts'
import type { ObservationNote } from './read-observation.ts'

/** Encodes one observation. */
export function writeObservation(note: ObservationNote): Uint8Array {
  const builder = new Builder(256)
  const userId = builder.createString(note.userId)
  const deviceSessionId = builder.createString(note.deviceSessionId)
  const ipAddress = Observation.createIpAddressVector(builder, note.ipAddress)
  const table = Observation.createObservation(builder, userId, deviceSessionId, ipAddress)
  Observation.finishObservationBuffer(builder, table)
  return builder.asUint8Array()
}
