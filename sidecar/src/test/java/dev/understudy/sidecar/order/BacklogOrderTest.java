package dev.understudy.sidecar.order;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Random histories of production through lanes that hold back what they have no room for. */
final class BacklogOrderTest {
    private static final int EXCHANGES = 30;

    private final DebugClock clock = new DebugClock(0);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void request_neverComesBeforeWhatHadEnded_andAlwaysComes(long seed) {
        for (int history = 0; history < 20; history++) {
            new History(new Random(seed * 1000 + history), "seed " + seed + ", history " + history).play();
        }
    }

    private final class History {
        private final Random random;
        private final String where;
        private final OrderGate gate = new OrderGate(clock, Horizon.NONE, Duration.ofSeconds(10));
        private final List<Lane> lanes = new ArrayList<>();
        private final List<Exchange> all = new ArrayList<>();
        private long now = Long.MAX_VALUE - 500;

        History(Random random, String where) {
            this.random = random;
            this.where = where;
            for (int n = 1 + random.nextInt(8); n > 0; n--) {
                lanes.add(new Lane(1 + random.nextInt(6)));
            }
        }

        void play() {
            int steps = 0;
            while (lanes.stream().anyMatch(Lane::hasMore)) {
                assertThat(++steps).as(where + " stands still").isLessThan(200_000);
                Lane lane = lanes.get(random.nextInt(lanes.size()));
                if (random.nextInt(3) == 0) {
                    lane.debugAnswers();
                } else {
                    now++;
                    lane.productionGoesOn();
                }
                lanes.forEach(Lane::pumpIfWoken);
            }
            assertThat(all).as(where).allMatch(exchange -> exchange.settled);
        }

        /** One connection: what happened and isn't told, what is told and not delivered, what debug is at. */
        private final class Lane {
            private final int room;
            private final Deque<Runnable> untold = new ArrayDeque<>();
            private final Deque<Long> untoldNanos = new ArrayDeque<>();
            private final Deque<Exchange> window = new ArrayDeque<>();
            private final Deque<Exchange> atDebug = new ArrayDeque<>();
            private final Turn turn = gate.enter(() -> this.woken = true);
            private Exchange current = new Exchange();
            private boolean asking;
            private int left = EXCHANGES;
            private boolean woken;

            Lane(int room) {
                this.room = room;
            }

            boolean hasMore() {
                return left > 0 || !untold.isEmpty() || !window.isEmpty() || !atDebug.isEmpty();
            }

            void productionGoesOn() {
                if (left == 0) {
                    turnOfTheLoop();
                    return;
                }
                Exchange exchange = asking ? current : new Exchange();
                untoldNanos.add(now);
                long at = now;
                if (!asking) {
                    exchange.arrived = now;
                    current = exchange;
                    all.add(exchange);
                    untold.add(() -> window.add(exchange));
                } else {
                    exchange.ended = now;
                    exchange.hasEnded = true;
                    untold.add(() -> gate.ended(exchange.ticket, at));
                    left--;
                }
                asking = !asking;
                turnOfTheLoop();
            }

            void turnOfTheLoop() {
                while (!untold.isEmpty() && (window.size() + atDebug.size() < room)) {
                    untoldNanos.remove();
                    untold.remove().run();
                }
                if (untold.isEmpty()) {
                    turn.holdsNothing();
                } else {
                    turn.holds(untoldNanos.element());
                }
                pump();
            }

            void pumpIfWoken() {
                if (woken) {
                    woken = false;
                    turnOfTheLoop();
                }
            }

            private void pump() {
                while (!window.isEmpty() && turn.admits(window.element().arrived)) {
                    Exchange exchange = window.remove();
                    assertThat(all)
                            .as(where)
                            .noneMatch(other -> other.hasEnded && !other.settled && other.ended - exchange.arrived < 0);
                    gate.delivered(exchange.ticket, 0);
                    atDebug.add(exchange);
                }
            }

            void debugAnswers() {
                Exchange exchange = atDebug.poll();
                if (exchange != null) {
                    exchange.settled = true;
                    gate.settled(exchange.ticket);
                }
                turnOfTheLoop();
            }
        }
    }

    private static final class Exchange {
        private final Ticket ticket = new Ticket();
        private long arrived;
        private long ended;
        private boolean hasEnded;
        private boolean settled;
    }
}
