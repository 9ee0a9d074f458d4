/** The settings of the server that kinds need, with the variable that sets each. */

/** The settings that a request template may name, as `{set.…}`. */
export const settingVariables = {
  appriseUrl: 'KNELL_APPRISE_URL',
  githubToken: 'KNELL_GITHUB_TOKEN',
  matrixHomeserver: 'KNELL_MATRIX_HOMESERVER',
  matrixToken: 'KNELL_MATRIX_TOKEN',
  pushoverToken: 'KNELL_PUSHOVER_TOKEN',
  signalUrl: 'KNELL_SIGNAL_URL',
  signalNumber: 'KNELL_SIGNAL_NUMBER',
  telegramToken: 'KNELL_TELEGRAM_TOKEN',
  trelloKey: 'KNELL_TRELLO_KEY',
  twilioAccount: 'KNELL_TWILIO_ACCOUNT',
  twilioAuth: 'KNELL_TWILIO_AUTH',
  twilioFrom: 'KNELL_TWILIO_FROM',
  whatsappService: 'KNELL_WHATSAPP_SERVICE',
  whatsappDownSid: 'KNELL_WHATSAPP_DOWN_SID',
  whatsappUpSid: 'KNELL_WHATSAPP_UP_SID',
} as const;

export type TemplateSetting = keyof typeof settingVariables;

/** The apps of this server at vendors, on whose pages integrations are added. No kind needs one. */
export const clientVariables = {
  discordClientId: 'KNELL_DISCORD_CLIENT_ID',
  discordClientSecret: 'KNELL_DISCORD_CLIENT_SECRET',
  slackClientId: 'KNELL_SLACK_CLIENT_ID',
  slackClientSecret: 'KNELL_SLACK_CLIENT_SECRET',
} as const;

export type ClientSetting = keyof typeof clientVariables;

export const settingsNeeded = {
  ...settingVariables,
  mailUrl: 'KNELL_MAIL_URL',
  shellChannels: 'KNELL_SHELL_CHANNELS=on',
} as const;
