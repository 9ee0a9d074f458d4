/** Whether this is `npm run test:long`, where tests that try every case do so; `npm test` tries some of them. */
export const isLong = process.env.TEST_LONG !== undefined;
