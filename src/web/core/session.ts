/** What one does to one's own session and colours, from wherever it was asked for. */
import { fromRoot } from './base-path.ts';
import { send } from './calls.ts';
import { setTheme, type Theme } from './theme.ts';

/** The page is loaded anew: nothing that it knows is anybody else's business. */
export async function signOut(): Promise<void> {
  await send('POST', '/web/sign-out');
  location.assign(fromRoot('/sign-in'));
}

/** At once, and from then on in every browser of this member. */
export async function chooseTheme(chosen: Theme): Promise<void> {
  setTheme(chosen);
  await send('POST', '/web/account', { theme: chosen });
}
