/** Where the API is for people who are signed in by cookie. */
export const BASE = "/portal/api";
