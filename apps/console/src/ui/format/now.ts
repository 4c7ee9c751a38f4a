import { useEffect, useState } from 'react'

/** The time, moving on in steps of so many seconds. */
export function useNow(stepSeconds: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepSeconds * 1_000)
    return () => clearInterval(timer)
  }, [stepSeconds])
  return now
}
