// Keep the learner's files in IndexedDB: every change at once, apart from the build of the page.

const finished = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const FOLDER = location.pathname.replace(/[^/]*$/, "");

export class Store {
  /** Open the files of one course at this address. Raises what the browser raises if it keeps nothing. */
  static async open(course) {
    const request = indexedDB.open("grade");
    request.onupgradeneeded = () => request.result.createObjectStore("texts");
    return Object.assign(new Store(), { course, database: await finished(request) });
  }

  #texts(mode) { return this.database.transaction("texts", mode).objectStore("texts"); }

  async #below(key) {
    const texts = this.#texts("readonly"), range = IDBKeyRange.bound(key, [...key, []]);
    const [keys, values] = await Promise.all([texts.getAllKeys(range), texts.getAll(range)].map(finished));
    return Object.fromEntries(keys.map((name, place) => [name.slice(key.length).join("/"), values[place]]));
  }

  /** Return {name: text} of all files, or of the page's own settings. */
  all(kind = "file") { return this.#below([FOLDER, kind, this.course]); }

  /** Return {course/name: text} of the files of all courses at this address. */
  everything() { return this.#below([FOLDER, "file"]); }

  /** Save texts in one transaction; with null, delete them. */
  async save(texts, kind = "file") {
    const store = this.#texts("readwrite");
    const done = new Promise((resolve, reject) => {
      store.transaction.oncomplete = resolve;
      store.transaction.onabort = () => reject(store.transaction.error);
    });
    for (const [name, text] of Object.entries(texts)) {
      const key = [FOLDER, kind, this.course, name];
      if (text === null) store.delete(key); else store.put(text, key);
    }
    await done;
  }

  /** Be the one tab that writes. False if another one does. `lost` is called when another tab takes over. */
  own(lost, steal = false) {
    const locks = locksIfAllowed();
    if (!locks) return Promise.resolve(true); // not a secure address: the page says so
    const options = steal ? { steal } : { ifAvailable: true };
    return new Promise((resolve) => {
      locks.request(`grade ${FOLDER} ${this.course}`, options, (lock) => {
        resolve(lock !== null);
        return lock && new Promise(() => {}); // held until the tab is closed or the lock is stolen
      }).catch(lost);
    });
  }
}

function locksIfAllowed() {
  try { return navigator.locks; } catch { return undefined; }
}

/** Ask the browser not to evict what is saved. Return whether it promises that. */
export const persist = async () => Boolean(await navigator.storage?.persist?.());
