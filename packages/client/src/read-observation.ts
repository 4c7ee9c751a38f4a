import { ByteBuffer } from 'flatbuffers'
import { Observation } from './generated/observation.ts'

export interface ObservationNote {
  readonly userId: string
  readonly deviceSessionId: string
  /** 4 or 16 bytes, in network order. */
  readonly ipAddress: Uint8Array
}

export const OBSERVATION_BYTES_MAX = 1_024
const ID_BYTES_MAX = 128
const IDENTIFIER = 'GPO1'
/** Root offset, identifier, and the smallest table with its vtable. */
const BYTES_MIN = 4 + 4 + 4 + 4
/** Vtable offsets of the fields, as in the generated code. */
const FIELDS = { userId: 4, deviceSessionId: 6, ipAddress: 8 }

/**
 * The observation in a message, or undefined if the message is malformed. The generated code follows any
 * offset, even out of the message, so this code checks every offset first.
 */
export function readObservation(bytes: Uint8Array): ObservationNote | undefined {
  const message = new Message(bytes)
  if (!message.isSound()) return undefined

  const table = Observation.getRootAsObservation(new ByteBuffer(bytes))
  const userId = table.userId()
  const deviceSessionId = table.deviceSessionId()
  const ipAddress = table.ipAddressArray()
  if (!isPlain(userId) || !isPlain(deviceSessionId) || ipAddress === null) return undefined
  return { userId, deviceSessionId, ipAddress: ipAddress.slice() }
}

/** Ids are opaque, but stored and shown as text: no control characters, no invalid UTF-8. */
const isPlain = (id: string | null): id is string => id !== null && !UNFIT.test(id)
// oxlint-disable-next-line no-control-regex -- these are the characters to refuse
const UNFIT = /[\u0000-\u001f\u007f\ufffd]/

class Message {
  private readonly view: DataView
  private readonly size: number

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.size = bytes.byteLength
  }

  isSound(): boolean {
    if (this.size < BYTES_MIN || this.size > OBSERVATION_BYTES_MAX) return false
    for (let i = 0; i < IDENTIFIER.length; i++) {
      if (this.view.getUint8(4 + i) !== IDENTIFIER.charCodeAt(i)) return false
    }
    const table = this.view.getUint32(0, true)
    const list = this.listOfFields(table)
    if (list === undefined) return false
    const lengthAt = (field: number) => this.vectorLength(table, this.fieldPlace(list, field))
    const ip = lengthAt(FIELDS.ipAddress)
    return (
      isIdLength(lengthAt(FIELDS.userId)) &&
      isIdLength(lengthAt(FIELDS.deviceSessionId)) &&
      (ip === 4 || ip === 16)
    )
  }

  /** Position and length of the vtable. Undefined if it is not within the message. */
  private listOfFields(table: number): { start: number; bytes: number } | undefined {
    if (!this.holds(table, 4)) return undefined
    const start = table - this.view.getInt32(table, true)
    if (!this.holds(start, 4)) return undefined
    const bytes = this.view.getUint16(start, true)
    return bytes >= 4 && this.holds(start, bytes) ? { start, bytes } : undefined
  }

  private fieldPlace({ start, bytes }: { start: number; bytes: number }, field: number): number {
    return field + 2 <= bytes ? this.view.getUint16(start + field, true) : 0
  }

  /** Length of a field's vector in bytes. Undefined if there is none within the message. */
  private vectorLength(table: number, place: number): number | undefined {
    const field = table + place
    if (place === 0 || !this.holds(field, 4)) return undefined
    const vector = field + this.view.getUint32(field, true)
    if (!this.holds(vector, 4)) return undefined
    const length = this.view.getUint32(vector, true)
    return this.holds(vector + 4, length) ? length : undefined
  }

  private holds(start: number, bytes: number): boolean {
    return start >= 0 && bytes >= 0 && start + bytes <= this.size
  }
}

const isIdLength = (length: number | undefined): boolean =>
  length !== undefined && length > 0 && length <= ID_BYTES_MAX
