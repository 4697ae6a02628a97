// What makes any host of static files enough: later visits need no network, and every page is isolated, so that memory
// can be shared. The export puts BUILD and FILES in front of this file.
const SITE = `site-${BUILD}`, PYTHON = `python-${BUILD}`;
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};
const SHUT_IN = { "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'" };

async function keepAll(fresh) {
  const cache = await caches.open(SITE), known = new Set((await cache.keys()).map(({ url }) => url));
  const missing = FILES.map((name) => new URL(name, registration.scope).href).filter((url) => !known.has(url));
  await cache.addAll(missing.map((url) => new Request(url, fresh ? { cache: "no-cache" } : {})));
}

async function answer(request) {
  const cache = await caches.open(SITE), url = request.url.split("?")[0];
  let found = await cache.match(url);
  if (!found) {
    found = await fetch(request);
    if (found.ok && FILES.includes(url.slice(registration.scope.length))) await cache.put(url, found.clone());
  }
  const headers = new Headers(found.headers), extra = url.endsWith("/learner.js") ? SHUT_IN : {};
  for (const [name, value] of Object.entries({ ...ISOLATED, ...extra })) headers.set(name, value);
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}

// A first visit keeps files as it loads them. A newer build replaces an older one as a whole: after its last page closed, or
// as soon as the learner wants it.
addEventListener("install", (event) => { if (registration.active) event.waitUntil(keepAll(true)); });

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys())
    if (/^(site|python)-/.test(name) && ![SITE, PYTHON].includes(name)) await caches.delete(name);
  await clients.claim();
})()));

addEventListener("message", (event) => event.waitUntil(event.data === "install" ? skipWaiting() : keepAll(false)));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
