package dev.understudy.sidecar.lane;

import dev.understudy.sidecar.order.DebugClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RawOrderTest {
    private static final long SECOND = 1_000_000_000L;

    private final DebugClock clock = new DebugClock(0);
    private long now;
    private int passedOver;
    private final RawOrder order = new RawOrder(clock, Duration.ofSeconds(10), () -> passedOver++);

    private void advance(long nanos) {
        for (long end = now + nanos; now < end; now += Math.min(SECOND / 10, end - now)) {
            clock.life(now);
            clock.tick(now);
        }
        clock.life(now);
        clock.tick(now);
    }

    @Test
    void bytesSaidBeforeAnyReply_goAtOnce() {
        order.offered();
        order.offered();
        assertThat(order.admits(now)).isTrue();
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isZero();
    }

    @Test
    void bytesSaidAfterAReply_waitUntilDebugHasSaidAsMuch() {
        order.productionReplied(10);
        order.offered();
        assertThat(order.admits(now)).isFalse();
        order.debugReplied(9, now);
        assertThat(order.admits(now)).isFalse();
        order.debugReplied(1, now);
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isZero();
    }

    @Test
    void shorterReplyThatIsFollowedByQuiet_isTakenForAnAnswer() {
        order.productionReplied(10);
        order.offered();
        order.debugReplied(7, now);
        assertThat(order.admits(now)).isFalse();
        advance(SECOND / 4);
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isEqualTo(1);

        order.productionReplied(10);
        order.offered();
        order.debugReplied(10, now);
        assertThat(order.admits(now)).as("what was missing is forgiven").isTrue();
    }

    @Test
    void debugThatSaysNothing_isWaitedForOnItsOwnClockOnly() {
        order.productionReplied(1);
        order.offered();
        assertThat(order.admits(now)).isFalse();
        advance(9 * SECOND);
        assertThat(order.admits(now)).isFalse();
        advance(2 * SECOND);
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isEqualTo(1);

        order.productionReplied(1);
        order.offered();
        assertThat(order.admits(now)).as("waited for once").isTrue();
        order.debugReplied(1, now);
        order.productionReplied(2);
        order.offered();
        assertThat(order.admits(now)).as("it speaks again").isFalse();
    }

    @Test
    void debugThatHasEnded_holdsNothingBack() {
        order.productionReplied(100);
        order.offered();
        order.debugReplied(1, now);
        order.debugEnded();
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isZero();
    }

    /** Whatever the chunks: while debug says the same bytes, nothing goes early, and nothing stays behind. */
    @Test
    void randomDialogues_keepTheirOrder() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            RawOrder fresh = new RawOrder(clock, Duration.ofSeconds(10), () -> passedOver++);
            Deque<Long> offered = new ArrayDeque<>();
            long production = 0;
            long debug = 0;
            for (int step = 0; step < 200; step++) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        int length = random.nextInt(50);
                        fresh.productionReplied(length);
                        production += length;
                    }
                    case 1 -> {
                        fresh.offered();
                        offered.add(production);
                    }
                    case 2 -> {
                        int length = (int) Math.min(production - debug, random.nextInt(60));
                        fresh.debugReplied(length, now);
                        debug += length;
                    }
                    default -> {
                        if (!offered.isEmpty()) {
                            boolean due = debug >= offered.peek();
                            assertThat(fresh.admits(now)).as("seed " + seed).isEqualTo(due);
                            if (due) {
                                offered.remove();
                            }
                        }
                    }
                }
            }
        }
        assertThat(passedOver).isZero();
    }
}
