/** How many tags an account offers. */
export const TAGS_MAX = 500;
