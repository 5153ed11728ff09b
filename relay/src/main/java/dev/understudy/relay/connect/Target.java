package dev.understudy.relay.connect;

import io.netty.channel.unix.DomainSocketAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** One socket address of production, and whether clients are led there. Thread-safe. */
final class Target {
    private static final int LONGEST_ROW = 1 << 20;

    private final String set;
    private final SocketAddress address;
    private final HealthConfig health;
    private final LongAdder accepted = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /** Above 0 successes in a row, below 0 failures in a row. */
    private final AtomicInteger row = new AtomicInteger();

    private volatile boolean up = true;

    Target(String set, SocketAddress address, HealthConfig health) {
        this.set = set;
        this.address = address;
        this.health = health;
    }

    SocketAddress address() {
        return address;
    }

    boolean up() {
        return up;
    }

    /** A client was accepted. */
    void accepted() {
        accepted.increment();
        succeeded();
    }

    /** A client's connect failed; one that timed out cost it so much that the next client shall not wait there, too. */
    void failed(boolean timedOut) {
        failed.increment();
        missed();
        if (timedOut) {
            up = false;
        }
    }

    /** A check or a client got through. */
    void succeeded() {
        int successes = row.updateAndGet(n -> n < 0 ? 1 : Math.min(n + 1, LONGEST_ROW));
        if (successes >= health.rise()) {
            up = true;
        }
    }

    /** A check or a client didn't get through. */
    void missed() {
        int failures = -row.updateAndGet(n -> n > 0 ? -1 : Math.max(n - 1, -LONGEST_ROW));
        if (failures >= health.fall()) {
            up = false;
        }
    }

    TargetStatus status() {
        return new TargetStatus(set, spelled(), up, accepted.sum(), failed.sum());
    }

    /** The address as a person writes it. */
    String spelled() {
        if (address instanceof InetSocketAddress inet) {
            return new Address.Inet(inet.getAddress().getHostAddress(), inet.getPort()).spelled();
        }
        return Address.UNIX + ((DomainSocketAddress) address).path();
    }
}
