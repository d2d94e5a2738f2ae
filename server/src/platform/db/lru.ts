/** A map that forgets the least recently used entry once it is full. */
export class LruMap<Value> {
  readonly #max: number;
  readonly #entries = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  /** The entry of a key, which is made if there is none. */
  getOrMake(key: string, make: (key: string) => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    this.set(key, made);
    return made;
  }

  /** Returns the key of the entry that made room, if one did. */
  set(key: string, value: Value): string | null {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#max) return null;
    const [oldest = null] = this.#entries.keys();
    if (oldest !== null) this.#entries.delete(oldest);
    return oldest;
  }
}
