package dev.understudy.sidecar.tee;

import java.nio.ByteBuffer;

/** Tells whether bytes taken from the middle of a connection may begin a request. Stateless. */
@FunctionalInterface
public interface RequestStart {
    /** What can be said of some first bytes. */
    enum Look {
        /** They begin a request. */
        YES,
        /** They don't. */
        NO,
        /** More bytes will tell; asked for a few kilobytes at most. */
        MORE
    }

    /** Looks at {@code bytes}, whose position is left alone. */
    Look look(ByteBuffer bytes);
}
