package dev.understudy.session.target.guess;

import dev.understudy.session.target.TlsUse;

/**
 * What is spoken somewhere.
 *
 * @param protocol a value of the setting {@code protocol}; tcp if nothing shows it
 * @param basis what shows it, in a few words
 * @param tls whether it is encrypted
 */
public record ProtocolGuess(String protocol, String basis, TlsUse tls) {}
