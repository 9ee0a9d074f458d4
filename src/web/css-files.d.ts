/** The types of styles that come with a page's script. The bundler makes them files of their own. */
declare module '*.css' {}
