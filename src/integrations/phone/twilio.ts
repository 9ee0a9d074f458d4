/** What calls, short messages and WhatsApp have in common: all go through Twilio. */

/** What is needed of this server. */
export const twilio = ['twilioAccount', 'twilioAuth', 'twilioFrom'] as const;

export const byTwilio = 'Sent through Twilio. Needs KNELL_TWILIO_ACCOUNT, _AUTH and _FROM on the server.';

export const twilioApi = 'https://api.twilio.com/2010-04-01/Accounts/{set.twilioAccount}';
export const twilioAuth = ['{set.twilioAccount}', '{set.twilioAuth}'] as const;
/**
 * https://www.twilio.com/docs/api/errors: no valid number (21211), cannot take short messages (21614), has asked for no more
 * of them (21610).
 */
export const noSuchNumber = {
  gone: [{ status: 400, field: { path: 'code', values: [21211, 21610, 21614] } }],
} as const;
