package dev.understudy.relay.control.access;

import java.util.Locale;

/** What a caller of a control port may do. */
public enum Role {
    /** Report what happens in a debug JVM, and follow the orders for it. */
    AGENT,
    /** See everything. */
    READ,
    /** {@link #READ}, and give the orders that are easily taken back: tee, probes, points, faults. */
    OPERATE,
    /** Everything, patches, resyncs and recordings included. */
    ADMIN;

    /** Its name in settings and messages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
