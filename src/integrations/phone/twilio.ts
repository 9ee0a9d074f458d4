/** The parts that calls, short messages and WhatsApp share: all go through Twilio. */

/** Settings of the server that all three need. */
export const twilio = ['twilioAccount', 'twilioAuth', 'twilioFrom'] as const;

export const byTwilio = 'Sent through Twilio. Needs KNELL_TWILIO_ACCOUNT, _AUTH and _FROM on the server.';

/** The first step of all three. */
export const twilioStep =
  'On the first page of console.twilio.com find the account SID and the auth token, and a number under Phone Numbers: the server needs them once.';

export const twilioApi = 'https://api.twilio.com/2010-04-01/Accounts/{set.twilioAccount}';
export const twilioAuth = ['{set.twilioAccount}', '{set.twilioAuth}'] as const;
/**
 * The number is invalid (21211), cannot receive short messages (21614), or its owner has asked for no more of them (21610):
 * https://www.twilio.com/docs/api/errors
 */
export const noSuchNumber = {
  gone: [{ status: 400, field: { path: 'code', values: [21211, 21610, 21614] } }],
} as const;
