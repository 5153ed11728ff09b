/**
 * The console: pages that show a running sidecar to people, served by its control port.
 *
 * <pre>
 *   /  /console/…          ConsoleFiles     modules and styles of the jar, for everybody
 *   /v1/console/session    ConsoleSession   a token or a link's code for a cookie
 *   /v1/console/now        Console          one stream: the status, and how far the exchanges are
 *   /v1/timeline           Timeline         what was ordered, lost, switched and begun anew
 *   /v1/exchanges …        control          what the pages show; commands show the same
 * </pre>
 *
 * <p>All of it runs on the control thread.
 */
@NullMarked
package dev.understudy.sidecar.console;

import org.jspecify.annotations.NullMarked;
