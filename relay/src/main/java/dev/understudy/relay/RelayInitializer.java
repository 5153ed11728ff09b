package dev.understudy.relay;

/** The stages of a relayed connection. */
final class RelayInitializer {
    /** The most bytes read from a socket at once. */
    static final int LARGEST_READ = 256 * 1024;

    private RelayInitializer() {}
}
