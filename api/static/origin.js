// The addresses of this service.

/**
 * Return the TLS origin of this service; null if this browser does not trust its certificate. @returns {Promise<string
 * | null>}
 */
export async function secureOrigin() {
  if (location.protocol === "https:") return location.origin;
  const origin = `https://${location.host}`;
  try {
    await fetch(`${origin}/healthz`, { mode: "no-cors", cache: "no-store", credentials: "omit" });
    return origin;
  } catch {
    return null;
  }
}

/** Return true if an address can be reached from this machine only. @param {string} address */
export function isLocal(address) {
  return /^(localhost|127\.|\[::1\])/.test(new URL(address).host);
}
