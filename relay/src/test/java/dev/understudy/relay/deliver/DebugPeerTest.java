package dev.understudy.relay.deliver;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class DebugPeerTest {
    private static final long MILLI = 1_000_000;

    private long now = Long.MAX_VALUE - 10 * MILLI;
    private final DebugPeer peer = new DebugPeer(new InetSocketAddress(1), Duration.ofMillis(1500), () -> now);

    @Test
    void attempts_areOnePerBackOffForAllLanes() {
        assertThat(peer.waitBeforeAttempt()).isZero();
        assertThat(peer.waitBeforeAttempt()).as("nothing has failed yet").isZero();
        peer.missed(new IOException("refused"));
        assertThat(peer.unreachable()).isTrue();
        assertThat(peer.waitBeforeAttempt()).isEqualTo(50 * MILLI);
        // The clock may overflow.
        now += 50 * MILLI;
        assertThat(peer.waitBeforeAttempt()).as("one lane tries").isZero();
        assertThat(peer.waitBeforeAttempt()).as("the others wait").isEqualTo(100 * MILLI);
        peer.missed(new IOException("refused"));
        assertThat(peer.waitBeforeAttempt()).isEqualTo(100 * MILLI);
    }

    @Test
    void backOff_growsToASecondAndEndsWithSuccess() {
        for (int n = 0; n < 100; n++) {
            peer.missed(new IOException("refused"));
        }
        assertThat(peer.waitBeforeAttempt()).isEqualTo(1000 * MILLI);
        peer.reached();
        assertThat(peer.unreachable()).isFalse();
        assertThat(peer.waitBeforeAttempt()).isZero();
    }

    @Test
    void connectTimeout_isAtLeastAMilli() {
        assertThat(peer.connectTimeoutMillis()).isEqualTo(1500);
        assertThat(new DebugPeer(new InetSocketAddress(1), Duration.ZERO).connectTimeoutMillis())
                .isEqualTo(1);
    }
}
