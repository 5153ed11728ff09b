package dev.understudy.it.fidelity.server;

import java.io.Closeable;
import java.io.IOException;

/** A real server on loopback, with its files in a folder of its own. */
public interface Server extends Closeable {
    /** The kinds that there are; the word in the aggregator's settings. */
    enum Kind {
        POSTGRES("postgres"),
        MYSQL("mysql"),
        REDIS("redis"),
        HTTP("http"),
        GRPC("http");

        private final String protocol;

        Kind(String protocol) {
            this.protocol = protocol;
        }

        public String protocol() {
            return protocol;
        }
    }

    int port();

    /** Counts what has come; asking counts for nothing itself. */
    Census census() throws IOException, InterruptedException;
}
