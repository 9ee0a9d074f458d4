/** A line of a systemd timer where an expression is wanted. By itself, as the form needs no more of schedules. Pure. */

const timerKey = /^[ \t]*OnCalendar[ \t]*=/im;

/** Whether it has a whole line of a systemd timer, `OnCalendar=daily`, instead of what the line sets. No such text is valid. */
export function isTimerLine(expr: string): boolean {
  return timerKey.test(expr);
}
