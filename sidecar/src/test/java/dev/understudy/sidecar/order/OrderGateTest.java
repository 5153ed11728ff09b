package dev.understudy.sidecar.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class OrderGateTest {
    private static final long SECOND = 1_000_000_000L;

    private final DebugClock clock = new DebugClock(0);
    private final OrderGate gate = new OrderGate(clock, Horizon.NONE, Duration.ofSeconds(10));
    private final AtomicInteger wakes = new AtomicInteger();
    private final Turn turn = gate.enter(wakes::incrementAndGet);

    @Test
    void request_afterAnEndThatDebugOwes_waitsForIt() {
        Ticket first = new Ticket();
        gate.ended(first, 100);

        assertThat(turn.admits(101)).isFalse();
        gate.settled(first);

        assertThat(wakes).hasValue(1);
        assertThat(turn.admits(101)).isTrue();
    }

    @Test
    void request_thatArrivedBeforeTheEnd_doesNotWait() {
        gate.ended(new Ticket(), 100);

        assertThat(turn.admits(100)).isTrue();
        assertThat(turn.admits(99)).isTrue();
    }

    @Test
    void exchange_thatEndedInDebugFirst_holdsNobody() {
        Ticket early = new Ticket();
        gate.settled(early);
        gate.ended(early, 100);

        assertThat(turn.admits(200)).isTrue();
        assertThat(gate.owed()).isZero();
    }

    @Test
    void request_beyondTheHorizon_waitsUntilItIsPassed() {
        AtomicLong known = new AtomicLong(50);
        OrderGate cautious = new OrderGate(clock, nanos -> nanos <= known.get(), Duration.ofSeconds(10));
        Turn asking = cautious.enter(wakes::incrementAndGet);

        assertThat(asking.admits(60)).isFalse();
        known.set(60);
        cautious.moved();

        assertThat(wakes).hasValue(1);
        assertThat(asking.admits(60)).isTrue();
    }

    @Test
    void request_youngerThanWhatALaneHoldsBack_waits_withoutAskingForNews() {
        AtomicInteger asked = new AtomicInteger();
        OrderGate cautious = new OrderGate(
                clock,
                nanos -> {
                    asked.incrementAndGet();
                    return true;
                },
                Duration.ofSeconds(10));
        Turn asking = cautious.enter(wakes::incrementAndGet);
        Turn behind = cautious.enter(() -> {});
        behind.holds(50);

        assertThat(asking.admits(60)).isFalse();
        assertThat(asked).as("news that a lane holds back don't come by asking").hasValue(0);
        assertThat(asking.admits(50))
                .as("a lane's own bytes aren't before themselves")
                .isTrue();
        assertThat(asking.admits(60)).isFalse();
        behind.holds(55);
        assertThat(wakes).hasValue(0);
        behind.holds(60);
        assertThat(wakes).hasValue(1);
        assertThat(asking.admits(60)).isTrue();

        behind.holds(70);
        assertThat(asking.admits(80)).isFalse();
        assertThat(cautious.lag(100)).isEqualTo(30);
        behind.leave();
        assertThat(wakes).hasValue(2);
    }

    @Test
    void exchange_whoseTurnHasNotCome_isNotLate() {
        Turn behind = gate.enter(() -> {});
        behind.holds(50);
        gate.ended(new Ticket(), 100);
        turn.admits(200);

        liveFor(100);
        assertThat(gate.overtaken()).isZero();
        behind.holdsNothing();
        liveFor(11);
        assertThat(gate.overtaken()).isEqualTo(1);
    }

    @Test
    void waiting_isBoundedAndCounted() {
        Ticket hung = new Ticket();
        gate.delivered(hung, 0);
        gate.ended(hung, 100);
        assertThat(turn.admits(200)).isFalse();

        liveFor(9);
        assertThat(wakes).hasValue(0);
        liveFor(2);

        assertThat(wakes).hasValue(1);
        assertThat(turn.admits(200)).isTrue();
        assertThat(gate.overtaken()).isEqualTo(1);
    }

    @Test
    void connection_whereDebugWasWaitedForInVain_isWaitedForAgain_onceItSpeaks() {
        Turn silent = gate.enter(() -> {});
        owed(silent, 100);
        owed(silent, 150);
        assertThat(turn.admits(200)).isFalse();
        liveFor(11);
        assertThat(wakes).hasValue(1);
        assertThat(turn.admits(200)).isTrue();
        owed(silent, 250);
        assertThat(turn.admits(300)).isTrue();
        assertThat(gate.overtaken()).as("each is counted").isEqualTo(3);

        silent.spoke();
        owed(silent, 350);
        assertThat(turn.admits(400)).isFalse();
    }

    @Test
    void exchange_deliveredWhileOneBeforeItIsOwed_isOutOfOrder() {
        Ticket hung = new Ticket();
        assertThat(gate.delivered(hung, 50)).isFalse();
        gate.ended(hung, 100);
        turn.admits(200);
        assertThat(gate.delivered(new Ticket(), 90)).as("nobody waited yet").isFalse();
        liveFor(11);

        assertThat(gate.delivered(new Ticket(), 200)).isTrue();
        assertThat(gate.delivered(new Ticket(), 100))
                .as("one that came while production answered the other")
                .isFalse();
        gate.settled(hung);
        assertThat(gate.delivered(new Ticket(), 300)).isFalse();
    }

    private void owed(Turn connection, long endedNanos) {
        Ticket ticket = new Ticket();
        connection.brings(ticket);
        gate.delivered(ticket, 0);
        gate.ended(ticket, endedNanos);
    }

    @Test
    void waiting_forAJvmThatIsStoppedAsAWhole_isTenTimesAsLong() {
        Ticket hung = new Ticket();
        gate.delivered(hung, 0);
        gate.ended(hung, 100);
        turn.admits(200);

        silentFor(60);
        assertThat(wakes).as("a minute at a breakpoint costs no order").hasValue(0);
        silentFor(60);
        assertThat(wakes).as("and yet no wait is for ever").hasValue(1);
    }

    @Test
    void exchange_thatNobodyWaitsFor_isNotPassedOver() {
        Ticket slow = new Ticket();
        gate.delivered(slow, 0);
        gate.ended(slow, 100);

        liveFor(100);

        assertThat(gate.overtaken()).isZero();
        assertThat(gate.lag(350)).isEqualTo(250);
    }

    @Test
    void turn_thatLeft_isNotWoken() {
        Ticket first = new Ticket();
        gate.ended(first, 100);
        turn.admits(101);

        turn.leave();
        gate.settled(first);

        assertThat(wakes).hasValue(0);
    }

    /** Random interleavings of arrivals, ends and answers against a list that is searched in full. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void history_atRandom_isAdmittedAsTheOracleSays(long seed) {
        Random random = new Random(seed);
        OrderGate tested = new OrderGate(clock, Horizon.NONE, Duration.ofSeconds(10));
        List<Ticket> tickets = new ArrayList<>();
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            lanes.add(new Lane(tested));
        }
        for (int step = 1; step < 4000; step++) {
            // starts just below the wrap-around of nanoTime, which must not matter
            long now = Long.MAX_VALUE - 2000 + step;
            switch (random.nextInt(4)) {
                case 0 -> tickets.add(new Ticket());
                case 1 -> pick(tickets, random).forEach(t -> tested.ended(t, now));
                case 2 -> pick(tickets, random).forEach(tested::settled);
                default -> lanes.get(random.nextInt(lanes.size())).arrives(now);
            }
            for (Lane lane : lanes) {
                lane.check(tickets, "seed " + seed + ", step " + step);
            }
        }
    }

    private static List<Ticket> pick(List<Ticket> tickets, Random random) {
        return tickets.isEmpty() ? List.of() : List.of(tickets.get(random.nextInt(tickets.size())));
    }

    private void liveFor(int seconds) {
        for (int i = 0; i < seconds * 10; i++) {
            tick(SECOND / 10);
            clock.life(now);
        }
    }

    private void silentFor(int seconds) {
        for (int i = 0; i < seconds * 10; i++) {
            tick(SECOND / 10);
        }
    }

    private long now;

    private void tick(long step) {
        now += step;
        clock.tick(now);
        gate.tick();
    }

    /** A lane that holds one request at a time and knows whether it believes that it may go. */
    private static final class Lane {
        private final Turn turn;
        private boolean holding;
        private boolean admitted;
        private boolean woken;
        private long arrived;

        Lane(OrderGate gate) {
            turn = gate.enter(() -> woken = true);
        }

        void arrives(long now) {
            if (!holding) {
                arrived = now;
                holding = true;
                woken = false;
                admitted = turn.admits(now);
            } else if (admitted) {
                holding = false;
            }
        }

        void check(List<Ticket> tickets, String where) {
            if (!holding || admitted) {
                return;
            }
            boolean free = tickets.stream().noneMatch(t -> t.ended && !t.settled && t.endedNanos - arrived < 0);
            assertThat(woken).as(where).isEqualTo(free);
            if (woken) {
                admitted = turn.admits(arrived);
                assertThat(admitted).as(where).isTrue();
            }
        }
    }
}
