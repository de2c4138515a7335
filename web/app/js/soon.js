// Gathers many hints into few readings: however often the returned function is called, `work` runs
// at most once per `wait`, never twice at a time, and always once more after the last call.

export function soon(work, wait) {
  let timer = 0;
  let running = false;
  let again = false;

  async function run() {
    timer = 0;
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      await work();
    } finally {
      running = false;
      if (again) ask();
      again = false;
    }
  }

  function ask() {
    if (!timer) timer = setTimeout(run, wait);
  }

  ask.cancel = () => {
    clearTimeout(timer);
    timer = 0;
    again = false;
  };
  return ask;
}
