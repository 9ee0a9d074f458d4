/** Whether `text` begins with a day that there is, as `2030-05-04`. `Date` takes the 30th of February for the 2nd of March. */
export function beginsWithDate(text: string): boolean {
  const [date] = /^\d{4}-\d\d-\d\d(?!\d)/.exec(text) ?? [];
  return date !== undefined && new Date(`${date}T00:00Z`).toJSON()?.startsWith(date) === true;
}
