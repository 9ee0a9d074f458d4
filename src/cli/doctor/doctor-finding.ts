/** One line of `knell doctor`. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly text: string;
  /** Advice on what to do; empty for none. */
  readonly advice: string;
}

export function ok(what: string, text: string): Finding {
  return { what, state: 'ok', text, advice: '' };
}

export function warning(what: string, text: string, advice: string): Finding {
  return { what, state: 'warning', text, advice };
}

export function failed(what: string, text: string, advice: string): Finding {
  return { what, state: 'failed', text, advice };
}
