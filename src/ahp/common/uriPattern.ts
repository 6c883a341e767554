/** How an absolute URI begins. */
export const URI_PATTERN = /^[a-z][a-z0-9+.-]*:/i;
