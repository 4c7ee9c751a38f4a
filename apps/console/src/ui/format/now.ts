import { useEffect, useState } from 'react'

/** The current time, updated every few seconds. */
export function useNow(stepSeconds: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepSeconds * 1_000)
    return () => clearInterval(timer)
  }, [stepSeconds])
  return now
}
