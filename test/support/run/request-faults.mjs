/** The faults that the simulator of this process answers its next requests with, as its control address says. */

let faults = [];

/** Replaces the faults: `[{match, times?, action, …}]`, where `match` is a regular expression for the verb. */
export function setFaults(given) {
  faults = given.map((fault) => ({ times: 1, ...fault }));
}

/** The fault for the next request with this verb; each fault applies as often as it says. */
export function takeFault(verb) {
  const fault = faults.find(({ match, times }) => times > 0 && new RegExp(match).test(verb));
  if (fault !== undefined) fault.times -= 1;
  return fault;
}
