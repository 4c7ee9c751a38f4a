import { drawBelow, type Draws } from '../random.ts'
import { Network, type NetworkSnapshot } from './network.ts'
import { Adam, type Optimiser, plainSgd } from './optimiser.ts'

export interface Transition {
  readonly state: ArrayLike<number>
  readonly action: number
  readonly reward: number
  readonly next: ArrayLike<number>
  readonly done: boolean
}

export interface DqnSettings {
  readonly sizes: readonly number[]
  readonly discount: number
  readonly rate: number
  readonly optimiser: 'sgd' | 'adam'
  readonly batch: number
  readonly memory: number
  /** Training starts after this many transitions. */
  readonly transitionsMin: number
  /** Targets are clipped to ± this. */
  readonly targetMax: number
  /** Errors are clipped to ± this (Huber loss). Infinity: squared error. */
  readonly errorMax: number
  /** The target network copies the online network after this many training steps. */
  readonly copyEvery: number
  /** Start with all values 0, if a random start would hide small rewards. */
  readonly startSilent?: boolean
}

export interface DqnSnapshot {
  readonly online: NetworkSnapshot
  readonly target: NetworkSnapshot
  readonly steps: number
}

/**
 * Double DQN: the online network chooses the next action, the target network values it. The replay
 * memory is a ring buffer and not part of a snapshot.
 */
export class DoubleDqn {
  readonly settings: DqnSettings
  online: Network
  private target: Network
  private readonly optimiser: Optimiser
  private readonly gradient: Float64Array
  private readonly slope: Float64Array
  private readonly memory: Transition[] = []
  private nextPlace = 0
  private steps = 0

  constructor(settings: DqnSettings, draws: Draws) {
    this.settings = settings
    this.online = Network.random(settings.sizes, draws)
    if (settings.startSilent === true) this.online.silence()
    this.target = this.online.copy()
    this.gradient = new Float64Array(this.online.parameters.length)
    this.slope = new Float64Array(settings.sizes.at(-1)!)
    this.optimiser =
      settings.optimiser === 'adam'
        ? new Adam(settings.rate, this.gradient.length)
        : plainSgd(settings.rate)
  }

  get trainingSteps(): number {
    return this.steps
  }

  best(state: ArrayLike<number>): number {
    return argMax(this.online.forward(state))
  }

  /** The best action, or a random one with probability `epsilon`. */
  explore(state: ArrayLike<number>, { epsilon, draws }: { epsilon: number; draws: Draws }): number {
    if (draws.next() < epsilon) return drawBelow(draws, this.slope.length)
    return this.best(state)
  }

  remember(transition: Transition): void {
    this.memory[this.nextPlace] = transition
    this.nextPlace = (this.nextPlace + 1) % this.settings.memory
  }

  /** The newest transitions, in order. */
  recent(count: number): Transition[] {
    const { memory, nextPlace } = this
    return [...memory.slice(nextPlace), ...memory.slice(0, nextPlace)].slice(-count)
  }

  /** One training step on a random batch from memory. False: not enough transitions. */
  train(draws: Draws): boolean {
    const { batch, transitionsMin, copyEvery } = this.settings
    if (this.memory.length < transitionsMin) return false
    this.gradient.fill(0)
    for (let one = 0; one < batch; one++) {
      this.addGradient(this.memory[drawBelow(draws, this.memory.length)]!)
    }
    for (let at = 0; at < this.gradient.length; at++) this.gradient[at]! /= batch
    this.optimiser.step(this.online.parameters, this.gradient)
    this.steps++
    if (this.steps % copyEvery === 0) this.target = this.online.copy()
    return true
  }

  private addGradient(transition: Transition): void {
    const { targetMax, errorMax } = this.settings
    const wanted = Math.min(targetMax, Math.max(-targetMax, this.targetOf(transition)))
    const error = this.online.forward(transition.state)[transition.action]! - wanted
    this.slope.fill(0)
    this.slope[transition.action] = Math.min(errorMax, Math.max(-errorMax, error))
    this.online.backward(this.slope, this.gradient)
  }

  private targetOf({ reward, next, done }: Transition): number {
    if (done) return reward
    const picked = argMax(this.online.forward(next))
    return reward + this.settings.discount * this.target.forward(next)[picked]!
  }

  snapshot(): DqnSnapshot {
    return {
      online: this.online.snapshot(),
      target: this.target.snapshot(),
      steps: this.steps,
    }
  }

  restore(snapshot: DqnSnapshot): void {
    this.online = Network.restore(snapshot.online)
    this.target = Network.restore(snapshot.target)
    this.steps = snapshot.steps
  }
}

export function argMax(values: ArrayLike<number>): number {
  let best = 0
  for (let at = 1; at < values.length; at++) if (values[at]! > values[best]!) best = at
  return best
}
