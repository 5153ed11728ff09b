package dev.understudy.session.target.guess;

import dev.understudy.session.target.TlsUse;

/**
 * A server that the environment or the command line names.
 *
 * @param host its name or address as written
 * @param port its port, or its protocol's usual one; 0 if there is none
 * @param protocol by the URL's scheme, a value of the setting {@code protocol}; "" without a URL
 * @param tls by the URL's scheme or parameters
 * @param place where it is written, such as "DB_URL in the environment"; no value is in it
 */
record EndpointMention(String host, int port, String protocol, TlsUse tls, String place) {}
