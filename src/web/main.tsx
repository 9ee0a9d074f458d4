/** Where the page begins: puts it into the document. Nothing else happens here. */
import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './core/theme.ts';

applyTheme();
const place = document.getElementById('page');
if (place) render(<App />, place);
