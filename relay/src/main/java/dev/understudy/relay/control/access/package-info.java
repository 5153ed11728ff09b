/**
 * Who may use a control port, and for what.
 *
 * <pre>
 *   Authorization: Bearer … ─▶ AccessTokens ─▶ Caller (name, Role) ─▶ Access of the route
 *   Cookie ────────────────▶ SignIn ───────▶ Caller
 *   Origin, Sec-Fetch-Site ──▶ Browsers
 * </pre>
 *
 * <p>Where the settings name no token, two are generated at the start and kept in files that only this user can read
 * ({@link dev.understudy.relay.control.access.TokenFile}); commands and agents of the same user find them by the port.
 */
@NullMarked
package dev.understudy.relay.control.access;

import org.jspecify.annotations.NullMarked;
