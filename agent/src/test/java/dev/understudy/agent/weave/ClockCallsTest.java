package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.LagClock;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ClockCallsTest {
    private static final String CLOCKS = Clocks.class.getName();
    private static final Duration LAG = Duration.ofDays(800).plusHours(7);
    private static final long PATIENCE_MILLIS = Duration.ofMinutes(10).toMillis();

    private static long nanos = System.nanoTime() + Duration.ofDays(20_000).toNanos();

    @AfterEach
    void catchUp() {
        LagClock.lag(0, nanos);
    }

    @Test
    void everyWayToAskForTheTime_isBehindByTheLag() throws Exception {
        Class<?> clocks = lagging().loadClass(CLOCKS);
        lag(LAG);
        Map<String, Long> woven = millis(clocks);
        List<Object> before = parts(Instant.now().minus(LAG));
        Object parts = clocks.getMethod("parts").invoke(null);

        woven.forEach((how, millis) -> assertThat(System.currentTimeMillis() - millis)
                .as(how)
                .isBetween(LAG.toMillis() - PATIENCE_MILLIS, LAG.toMillis() + PATIENCE_MILLIS));
        assertThat(parts).isIn(before, parts(Instant.now().minus(LAG)));
        assertThat((long) clocks.getMethod("real").invoke(null))
                .as("what isn't in the list")
                .isGreaterThan(System.currentTimeMillis() - PATIENCE_MILLIS);
    }

    @Test
    void withoutALag_orWithoutTheSetting_itIsTheRealTime() throws Exception {
        long before = System.currentTimeMillis();
        assertThat(millis(lagging().loadClass(CLOCKS)).values())
                .allMatch(millis -> Math.abs(millis - before) < PATIENCE_MILLIS);
        lag(LAG);
        assertThat(millis(new WovenLoader(name -> name.startsWith(CLOCKS)).loadClass(CLOCKS))
                        .values())
                .allMatch(millis -> Math.abs(millis - before) < PATIENCE_MILLIS);
    }

    @Test
    void clock_neverGoesBack_butMayStandStill() {
        lag(Duration.ZERO);
        long told = nanos;
        LagClock.lag(60_000, told + Duration.ofSeconds(2).toNanos());
        assertThat(LagClock.lagMillis()).as("two seconds later").isEqualTo(2000);
        LagClock.lag(60_000, told + Duration.ofSeconds(50).toNanos());
        assertThat(LagClock.lagMillis()).isEqualTo(50_000);
        LagClock.lag(40_000, told + Duration.ofSeconds(51).toNanos());
        assertThat(LagClock.lagMillis()).as("it catches up").isEqualTo(40_000);
        LagClock.lag(999, told + Duration.ofSeconds(52).toNanos());
        assertThat(LagClock.lagMillis()).as("as good as none").isZero();
        nanos = told + Duration.ofSeconds(52).toNanos();
    }

    @Test
    void clocks_areEqualAsTheJdksAre() {
        assertThat(LagClock.systemUTC())
                .isEqualTo(LagClock.system(ZoneOffset.UTC))
                .hasSameHashCodeAs(LagClock.system(ZoneOffset.UTC))
                .hasToString(Clock.systemUTC().toString());
    }

    private static List<Object> parts(Instant then) {
        ZonedDateTime here = then.atZone(ZoneId.systemDefault());
        ZonedDateTime there = then.atZone(ZoneOffset.UTC);
        return List.of(
                Year.from(here),
                YearMonth.from(here),
                MonthDay.from(here),
                Year.from(there),
                YearMonth.from(there),
                MonthDay.from(there));
    }

    /** What was heard last lies so far back that the clock needn't stand still. */
    private void lag(Duration lag) {
        nanos += Duration.ofDays(2000).toNanos();
        LagClock.lag(lag.toMillis(), nanos);
    }

    private static WovenLoader lagging() {
        return new WovenLoader(
                name -> name.startsWith(CLOCKS) && !name.equals(ClockCallsTest.class.getName()),
                new Weaver(WovenLoader.DIRECTORY, WovenCache.none(), true, new SecondLevel(new BranchDirectory())));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Long> millis(Class<?> clocks) throws ReflectiveOperationException {
        return (Map<String, Long>) clocks.getMethod("millis").invoke(null);
    }
}
