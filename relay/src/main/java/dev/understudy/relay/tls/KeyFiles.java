package dev.understudy.relay.tls;

import java.nio.file.Path;

/**
 * A certificate and its key.
 *
 * @param chain PEM, the certificate first, then those that vouch for it
 * @param key PEM, PKCS #8 without a password
 */
public record KeyFiles(Path chain, Path key) {}
