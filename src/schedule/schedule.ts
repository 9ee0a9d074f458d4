export declare function internSchedule(e: string, t: string): { next(n: number): number | null };
