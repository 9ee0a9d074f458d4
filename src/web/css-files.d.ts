/** Styles that come with a page's script: the bundler makes them files of their own. */
declare module '*.css' {}
