/** The name of Tapline's MCP server. Our own provider recognizes the server by it, and does not lend its tools. */
export const SERVER_NAME = 'tapline';
