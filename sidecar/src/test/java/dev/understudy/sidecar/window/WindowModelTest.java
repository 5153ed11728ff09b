package dev.understudy.sidecar.window;

import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class WindowModelTest {
    private static final long TICK = 100_000_000L;
    private static final long CAPACITY = 1_000_000;

    private final Traffic traffic = new Traffic();
    private final WindowModel model = new WindowModel(traffic, 0);
    private long now;
    private double arrived;
    private double served;

    @Test
    void rates_followTheTraffic() {
        WindowState state = run(200, 100, 400, 10);

        assertThat(state.arrivalRate()).isCloseTo(100, Offset.offset(5.0));
        assertThat(state.pending()).isBetween(0L, 1L);
        assertThat(state.estimate()).isEqualTo("not in sight");
    }

    @Test
    void debug_thatIsTooSlow_isSeenToOverflow() {
        WindowState state = run(300, 100, 80, 1000);

        assertThat(state.serviceRate()).isCloseTo(80, Offset.offset(5.0));
        assertThat(state.pending()).isCloseTo(600, Offset.offset(20L));
        // 600 of 1000 wait, 20 more each second
        assertThat(state.estimate()).matches("overflows in (1[5-9]|2[0-5]) s");
        assertThat(model.peakUtilisation()).isCloseTo(0.6, Offset.offset(0.05));
    }

    @Test
    void stop_isTakenByTheRoomThatIsLeft() {
        assertThat(model.stopSeconds()).as("nothing arrives").isNegative();

        run(300, 100, 80, 1000);
        // 600 of 1000 wait, 100 more each second
        assertThat(model.stopSeconds()).isBetween(3.0, 5.0);

        for (int i = 0; i < 10_000; i++) {
            now += TICK;
            model.tick(now, 0, new Gauge(0, CAPACITY, 0, 0));
        }
        assertThat(model.stopSeconds())
                .as("nothing has arrived for long: more than a day")
                .isNegative();
    }

    @Test
    void neededRate_isThatWithWhichTheRestOfTheWindowLasts() {
        assertThat(model.neededRate(Duration.ofMinutes(1)))
                .as("nothing is known")
                .isNegative();
        run(300, 100, 80, 1000);

        // 1000 fit in, 100 a second arrive: 5000 of 6000 have to be answered within a minute
        assertThat(model.neededRate(Duration.ofMinutes(1))).isCloseTo(83, Offset.offset(6.0));
        assertThat(model.neededRate(Duration.ofSeconds(5))).isZero();
    }

    @Test
    void neededRate_isKnownBeforeAnythingEverWaited() {
        for (int i = 1; i < 100; i++) {
            traffic.arrived(i * TICK);
            traffic.served(i * TICK);
            model.tick(i * TICK, 0, new Gauge(0, CAPACITY, 0, 0, 0, i * 1_000L));
        }

        // 1000 of 1000 bytes fit in, ten a second arrive
        assertThat(model.neededRate(Duration.ofSeconds(200))).isCloseTo(5, Offset.offset(0.5));
    }

    @Test
    void lag_ofTheWorstMoment_isKept() {
        model.tick(TICK, 0, new Gauge(0, CAPACITY, 0, 7_000_000));
        model.tick(2 * TICK, 0, new Gauge(0, CAPACITY, 0, 2_000_000));

        assertThat(model.state().lagMillis()).isEqualTo(2);
        assertThat(model.peakLagMillis()).isEqualTo(7);
    }

    /** Each waiting exchange holds {@code bytesEach} of the million bytes there are. */
    private WindowState run(int ticks, double arrivalRate, double serviceRate, long bytesEach) {
        for (int i = 0; i < ticks; i++) {
            for (int part = 0; part < 10; part++) {
                now += TICK / 10;
                arrived += arrivalRate / 100;
                while (arrived >= 1) {
                    traffic.arrived(now);
                    arrived--;
                }
                served = traffic.pending() == 0 ? 0 : served + serviceRate / 100;
                while (served >= 1 && traffic.pending() > 0) {
                    traffic.served(now);
                    served--;
                }
            }
            model.tick(now, 0, new Gauge(traffic.pending() * bytesEach, CAPACITY, 0, 0));
        }
        return model.state();
    }
}
