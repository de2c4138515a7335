// Ids that the console makes, so that a question asked twice is answered once.

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** The id of a session that does not exist yet: 48 bits of time and 80 of chance, in base 32. */
export function newSessionId(now = Date.now()) {
  let time = "";
  for (let left = now, place = 0; place < 10; place += 1) {
    time = DIGITS[left % 32] + time;
    left = Math.floor(left / 32);
  }
  const chance = crypto.getRandomValues(new Uint8Array(16));
  return `ses_${time}${[...chance].map((byte) => DIGITS[byte % 32]).join("")}`;
}
