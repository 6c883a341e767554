/** Style sheets that esbuild bundles. */
declare module '*.css';
