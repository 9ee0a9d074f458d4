/** Actions on one's own session and colours, from any part of the page. */
import { fromRoot } from './base-path.ts';
import { send } from './calls.ts';
import { setTheme, type Theme } from './theme.ts';
import { mayLeave } from './typed.ts';

/** Signs out. The page is loaded again, since what it knows is nobody else's business. */
export async function signOut(): Promise<void> {
  if (!mayLeave(() => void signOut())) return;
  await send('POST', '/web/sign-out');
  // What this tab keeps of a member is for nobody who signs in after.
  sessionStorage.clear();
  location.assign(fromRoot('/sign-in'));
}

/** Changes the theme at once, and from then on in every browser of this member. */
export async function chooseTheme(chosen: Theme): Promise<void> {
  setTheme(chosen);
  await send('POST', '/web/account', { theme: chosen });
}
