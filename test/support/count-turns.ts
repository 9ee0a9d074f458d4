/** How many turns the event loop takes while something runs. */
export function countTurns(): { stop(): number } {
  let turns = 0;
  let stopped = false;
  const count = (): void => {
    turns += 1;
    if (!stopped) setImmediate(count);
  };
  setImmediate(count);
  return {
    stop() {
      stopped = true;
      return turns;
    },
  };
}
