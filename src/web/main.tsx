/** This file puts the page into the document and does nothing else. */
import { render } from 'preact';
import { App } from './app.tsx';
import { holdBack } from './core/route.ts';
import { applyTheme } from './core/theme.ts';
import { keepFocus } from './core/use-focus.ts';

applyTheme();
holdBack();
keepFocus();
const place = document.getElementById('page');
if (place) render(<App />, place);
