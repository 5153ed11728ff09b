package dev.understudy.relay;

import dev.understudy.relay.connect.TargetStatus;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import java.net.InetSocketAddress;
import java.util.List;

/** What a listener has relayed so far, and how its production fares. Thread-safe. */
public interface RelayStatus {
    /** Where it listens, with the real port. */
    InetSocketAddress address();

    /** Connections accepted so far. */
    long opened();

    /** Connections open now. */
    long open();

    /**
     * How often no connection could be accepted, or given a socket to production, for want of file descriptors as a
     * rule.
     */
    long acceptFailures();

    /** Copies of connections that ended by a defect. */
    long tapFailures();

    /** Bytes relayed in {@code direction} so far. */
    long bytes(Direction direction);

    /** How many connections ended for {@code reason} so far. */
    long endings(CloseReason reason);

    /** Production's addresses and how they fare, in order of preference. */
    List<TargetStatus> production();
}
