/**
 * TLS that is agreed on in a protocol's own words before it begins: PostgreSQL's request for it and MySQL's, from
 * clients and towards servers.
 *
 * <p>All of it runs on relay loops: PostgreSQL's before a connection's first byte is relayed; MySQL's, where the server
 * speaks first, as stages of the relay that leave once the client is let in.
 */
@NullMarked
package dev.understudy.relay.starttls;

import org.jspecify.annotations.NullMarked;
