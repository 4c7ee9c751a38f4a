import { DAY_MS, HOUR_MS } from '@placard/calendar'
import { type Draws, seededDraws } from '@placard/learning'
import WORLD from './world.json' with { type: 'json' }

/**
 * People of a synthetic world: where they really are, and what a faulty Geo-IP file reports. It was fixed
 * before the rules were tuned. The truth is in `kind` and `isThief`, which no rule sees.
 */
export type Kind = 'stable' | 'mover' | 'traveller' | 'roamer' | 'shared' | 'stolen'

export interface SimulatedSession {
  readonly id: string
  readonly isThief: boolean
}

export interface SimulatedObservation {
  readonly atMs: number
  /** Index into the user's sessions. */
  readonly session: number
  /** Country according to the Geo-IP file, including its faults. */
  readonly country: string
}

export interface SimulatedUser {
  readonly id: string
  readonly kind: Kind
  readonly declaredCountry: string
  readonly sessions: readonly SimulatedSession[]
  /** In chronological order. */
  readonly observations: readonly SimulatedObservation[]
  /** False: the thief never comes at the owner's hours, and may be missed. */
  readonly isThiefCatchable: boolean
}

export const START_MS = Date.UTC(2030, 0, 7)

type Range = readonly number[]

/** One user of the world. Depends on seed and number only, not on the other users. */
export function simulateUser(seed: number, number: number): SimulatedUser {
  const draws = seededDraws(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))
  for (let i = 0; i < 3; i++) draws.next()
  return new Biography(draws, `user-${number}`).toUser()
}

interface Country {
  readonly code: string
  readonly utcOffset: number
  readonly neighbour: string
}

interface Device {
  readonly id: string
  readonly fromDay: number
  readonly untilDay: number
  readonly isThief: boolean
}

interface Habits {
  readonly activeDayShare: number
  readonly periods: Range
  readonly utcOffset: number
  /** Local hours between which a period of use must lie. */
  readonly hours: Range
}

interface Visit {
  readonly device: number
  readonly country: Country
}

type Place = (day: number) => readonly Visit[]

class Biography {
  private readonly draws: Draws
  private readonly id: string
  private readonly kind: Kind
  private readonly home: Country
  private readonly devices: Device[] = []
  private readonly seen: SimulatedObservation[] = []
  private isThiefCatchable = false

  constructor(draws: Draws, id: string) {
    this.draws = draws
    this.id = id
    this.kind = this.drawKind()
    this.home = this.drawCountry()
    const sessions = 1 + this.pick(WORLD.sessionsPerUser)
    for (let i = 0; i < sessions; i++) {
      const isLater = i > 0 && draws.next() < WORLD.sessionStartsLaterShare
      this.addDevice(isLater ? this.wholeIn([0, WORLD.days - 1]) : 0, WORLD.days)
    }
  }

  toUser(): SimulatedUser {
    const habits = this.ownerHabits(this.home)
    switch (this.kind) {
      case 'mover':
        this.live(habits, this.placesOfMover())
        break
      case 'traveller':
        this.live(habits, this.placesOfTraveller(habits))
        break
      case 'roamer':
        this.live(habits, this.placesOfRoamer())
        break
      case 'shared':
        this.live(habits, this.placesAt(this.home))
        this.shareWithSomebody(habits)
        break
      case 'stolen':
        this.live(habits, this.placesAt(this.home))
        this.letThiefIn()
        break
      case 'stable':
        this.live(habits, this.placesAt(this.home))
    }
    return {
      id: this.id,
      kind: this.kind,
      declaredCountry: this.home.code,
      sessions: this.devices.map(({ id, isThief }) => ({ id, isThief })),
      observations: this.seen.toSorted((a, b) => a.atMs - b.atMs),
      isThiefCatchable: this.isThiefCatchable,
    }
  }

  private ownerHabits({ utcOffset }: Country): Habits {
    return {
      activeDayShare: this.between(WORLD.activity.activeDayShare),
      periods: WORLD.activity.periodsPerActiveDay,
      hours: WORLD.activity.ownerHours,
      utcOffset,
    }
  }

  private placesAt(country: Country, devices = [...this.devices.keys()]): Place {
    return (day) => this.inUse(devices, day).map((device) => ({ device, country }))
  }

  private placesOfMover(): Place {
    const moveDay = this.wholeIn(WORLD.mover.moveDay)
    const target = this.drawCountry(this.home)
    const before = this.placesAt(this.home)
    const after = this.placesAt(target)
    return (day) => (day < moveDay ? before(day) : after(day))
  }

  /** The phone travels along, and other devices may. Some stay active at home, some sign in abroad. */
  private placesOfTraveller(habits: Habits): Place {
    const { trips, tripDays, deviceTravelsShare, ...shares } = WORLD.traveller
    const own = [...this.devices.keys()]
    const journeys = Array.from({ length: this.wholeIn(trips) }, () => {
      const fromDay = this.wholeIn([0, WORLD.days - 1])
      const untilDay = fromDay + this.wholeIn(tripDays)
      const country = this.drawCountry(this.home)
      const taken = own.filter((device) => device === 0 || this.draws.next() < deviceTravelsShare)
      const isNewDevice = this.draws.next() < shares.signsInAbroadShare
      const devices = isNewDevice ? [...taken, this.addDevice(fromDay, untilDay)] : taken
      return {
        fromDay,
        untilDay,
        country,
        devices,
        left: own.filter((one) => !taken.includes(one)),
      }
    })
    const runsOn = this.draws.next() < shares.leavesDeviceRunningShare
    if (runsOn) {
      for (const { fromDay, untilDay, left } of journeys) {
        const device = left.at(-1)
        if (device === undefined) continue
        const isGone = (day: number) => day >= fromDay && day < untilDay
        const atHome = this.placesAt(this.home, [device])
        this.live(habits, (day) => (isGone(day) ? atHome(day) : []))
      }
    }
    const atHome = this.placesAt(this.home, own)
    return (day) => {
      const trip = journeys.find(({ fromDay, untilDay }) => day >= fromDay && day < untilDay)
      if (!trip) return atHome(day)
      return this.placesAt(trip.country, trip.devices)(day)
    }
  }

  /** Lives at a border: the phone switches between two countries' networks. */
  private placesOfRoamer(): Place {
    const share = this.between(WORLD.roamer.foreignPeriodShare)
    const abroad = { ...this.home, code: this.home.neighbour }
    return (day) =>
      this.inUse([...this.devices.keys()], day).map((device) => ({
        device,
        country: device === 0 && this.draws.next() < share ? abroad : this.home,
      }))
  }

  private shareWithSomebody(owner: Habits): void {
    const country = this.drawCountry(this.home)
    const count = 1 + (this.draws.next() < 0.3 ? 1 : 0)
    const devices = Array.from({ length: count }, () => this.addDevice(0, WORLD.days))
    const activeDayShare = owner.activeDayShare * this.between(WORLD.shared.secondPersonActivity)
    this.live(
      { ...owner, activeDayShare, utcOffset: country.utcOffset },
      this.placesAt(country, devices),
    )
  }

  /** Signs in with a stolen password. (A copied refresh token ends its session anyway.) */
  private letThiefIn(): void {
    const { startDay, stayDays, neverAtOwnersHoursShare } = WORLD.thief
    const fromDay = this.wholeIn(startDay)
    const country = this.drawCountry(this.home)
    this.isThiefCatchable = this.draws.next() >= neverAtOwnersHoursShare
    const untilDay = Math.min(WORLD.days, fromDay + this.wholeIn(stayDays))
    const device = this.addDevice(fromDay, untilDay, true)
    const [begin = 0, end = 0] = WORLD.activity.ownerHours
    this.live(
      {
        activeDayShare: this.between(WORLD.thief.activeDayShare),
        periods: WORLD.thief.periodsPerActiveDay,
        // Night at the owner's home: from the owner's last hour to the first hour of the next day.
        hours: this.isThiefCatchable ? [0, 24] : [end + 1, begin + 23],
        utcOffset: this.home.utcOffset,
      },
      this.placesAt(country, [device]),
    )
  }

  /** Days with some periods of use, each on one device or on two at once. */
  private live(habits: Habits, place: Place): void {
    const { activity } = WORLD
    for (let day = 0; day < WORLD.days; day++) {
      if (this.draws.next() >= habits.activeDayShare) continue
      const periods = this.wholeIn(habits.periods)
      for (let i = 0; i < periods; i++) {
        const visits = place(day)
        const first = visits[Math.floor(this.draws.next() * visits.length)]
        if (!first) continue
        const minutes = this.between(activity.periodMinutes)
        const [begin = 0, end = 0] = habits.hours
        const hour = this.between([begin, end - minutes / 60]) - habits.utcOffset
        const period = { fromMs: START_MS + day * DAY_MS + hour * HOUR_MS, minutes }
        this.connect(first, period)
        const others = visits.filter(({ device }) => device !== first.device)
        const second = others[Math.floor(this.draws.next() * others.length)]
        if (second && this.draws.next() < activity.secondDeviceShare) this.connect(second, period)
      }
    }
  }

  private connect(
    { device, country }: Visit,
    { fromMs, minutes }: { fromMs: number; minutes: number },
  ): void {
    const { errorShare, stickyShareOfErrors, unknownShare } = WORLD.geoIp
    const sticky = errorShare * stickyShareOfErrors
    const single = (errorShare - sticky) / (1 - sticky)
    const address = this.draws.next() < sticky ? this.wrongCountry(country) : country.code
    const untilMs = fromMs + minutes * 60_000
    let atMs = fromMs + this.between(WORLD.activity.gapSeconds) * 1_000
    while (atMs < untilMs) {
      const isWrong = this.draws.next() < single
      const isUnknown = this.draws.next() < unknownShare
      const resolved = isUnknown ? 'ZZ' : isWrong ? this.wrongCountry(country) : address
      this.seen.push({ atMs: Math.round(atMs), session: device, country: resolved })
      atMs += this.between(WORLD.activity.gapSeconds) * 1_000
    }
  }

  private wrongCountry(country: Country): string {
    if (this.draws.next() < WORLD.geoIp.neighbourShare) return country.neighbour
    return this.drawCountry(country).code
  }

  private inUse(devices: readonly number[], day: number): number[] {
    return devices.filter((index) => {
      const { fromDay, untilDay } = this.devices[index]!
      return day >= fromDay && day < untilDay
    })
  }

  private addDevice(fromDay: number, untilDay: number, isThief = false): number {
    const id = `device-session-${this.id}-${this.devices.length}`
    return this.devices.push({ id, fromDay, untilDay, isThief }) - 1
  }

  private drawKind(): Kind {
    let draw = this.draws.next()
    for (const [kind, share] of Object.entries(WORLD.kinds)) {
      if (draw < share) return kind as Kind
      draw -= share
    }
    return 'stable'
  }

  private drawCountry(except?: Country): Country {
    const choice = WORLD.countries.filter(({ code }) => code !== except?.code)
    return choice[this.pick(choice.map(({ weight }) => weight))]!
  }

  /** Draws an index by weight. */
  private pick(weights: readonly number[]): number {
    let draw = this.draws.next() * weights.reduce((sum, weight) => sum + weight, 0)
    const index = weights.findIndex((weight) => (draw -= weight) < 0)
    return Math.max(0, index)
  }

  private between([from = 0, to = 0]: Range): number {
    return from + this.draws.next() * (to - from)
  }

  private wholeIn([from = 0, to = 0]: Range): number {
    return Math.floor(this.between([from, to + 1]))
  }
}
