/** Every limit of the parts that are put together here, with its reason. */

/** Characters of a setting that an owner changes on the page: the longest honest one is a URL with credentials. */
export const settingCharsMax = 2000;
