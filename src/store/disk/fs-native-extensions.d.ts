/** The one function that Knell uses of a package that ships no declarations. */
declare module 'fs-native-extensions' {
  /** True when the exclusive lock was granted; it ends with the descriptor or with the process. */
  export function tryLock(fd: number): boolean;
}
