/**
 * A shop for theatre supplies: the example of a production service with a database, a cache and an upstream HTTP
 * service.
 *
 * <pre>
 * HTTP ─▶ SignedInInterceptor ─▶ a package each:  account · catalogue · ordering · report ─▶ PostgreSQL
 *                                                           │                     quote ─▶ pricing (HTTP)
 *                                                           └▶ Redis
 * </pre>
 *
 * <p>Whatever goes to an upstream is a function of the request and of earlier replies of upstreams. Ids and time stamps
 * are made by the database; of its own this JVM makes session ids and the time at which a report was drawn up.
 */
@NullMarked
package dev.understudy.example.orders;

import org.jspecify.annotations.NullMarked;
