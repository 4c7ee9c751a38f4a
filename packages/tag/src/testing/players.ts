import { VASTClient, VASTTracker } from '@dailymotion/vast-client'
import fluidPlayer from 'fluid-player'

/** Players of other makers, unmodified, in one script of the page. */
Object.assign(globalThis, { VASTClient, VASTTracker, fluidPlayer })
