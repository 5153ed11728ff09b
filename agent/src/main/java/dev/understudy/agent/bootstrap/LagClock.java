package dev.understudy.agent.bootstrap;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.Locale;
import java.util.Objects;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * The wall clock as production's was when it got what the debug JVM gets now: behind by the lane's lag. Woven code of
 * the application asks it instead of the JDK, method by method under like names.
 *
 * <p>A lag under a second is none: the two JVMs' clocks agree to about that, and times that the application takes
 * itself stay exact while it is in step. Safe for any threads; what is asked often reads one volatile.
 */
public final class LagClock {
    private static final long LEAST_MILLIS = 1000;

    private static volatile long lagMillis;
    private static boolean heard; // guarded by this class, as the next
    private static long heardAtNanos;

    private LagClock() {}

    /**
     * The debug JVM is so far behind. The clock never goes back for it: it stands still at most, as long as the lag
     * grows.
     *
     * @param nanos of now, by {@link System#nanoTime}
     */
    public static synchronized void lag(long millis, long nanos) {
        long wanted = millis < LEAST_MILLIS ? 0 : millis;
        long elapsed = (nanos - heardAtNanos) / 1_000_000;
        lagMillis = heard ? Math.min(wanted, lagMillis + elapsed) : wanted;
        heard = true;
        heardAtNanos = nanos;
    }

    /** By how much it is behind, in milliseconds. */
    public static long lagMillis() {
        return lagMillis;
    }

    /** {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() - lagMillis;
    }

    /** {@code new Date()}. */
    @SuppressWarnings("JavaUtilDate") // the application asks for one
    public static Date date() {
        return new Date(currentTimeMillis());
    }

    /** {@link Calendar#getInstance()}. */
    public static Calendar calendar() {
        return behind(Calendar.getInstance());
    }

    /** {@link Calendar#getInstance(TimeZone)}. */
    public static Calendar calendar(TimeZone zone) {
        return behind(Calendar.getInstance(zone));
    }

    /** {@link Calendar#getInstance(Locale)}. */
    public static Calendar calendar(Locale locale) {
        return behind(Calendar.getInstance(locale));
    }

    /** {@link Calendar#getInstance(TimeZone, Locale)}. */
    public static Calendar calendar(TimeZone zone, Locale locale) {
        return behind(Calendar.getInstance(zone, locale));
    }

    /** {@link Instant#now()}. */
    public static Instant instant() {
        return Instant.now().minusMillis(lagMillis);
    }

    /** {@link Clock#systemUTC}. */
    public static Clock systemUTC() {
        return new Behind(ZoneOffset.UTC);
    }

    /** {@link Clock#systemDefaultZone}. */
    public static Clock systemDefaultZone() {
        return new Behind(ZoneId.systemDefault());
    }

    /** {@link Clock#system}. */
    public static Clock system(ZoneId zone) {
        return new Behind(zone);
    }

    /** {@link Clock#tickMillis}. */
    public static Clock tickMillis(ZoneId zone) {
        return Clock.tick(system(zone), Duration.ofMillis(1));
    }

    /** {@link Clock#tickSeconds}. */
    public static Clock tickSeconds(ZoneId zone) {
        return Clock.tick(system(zone), Duration.ofSeconds(1));
    }

    /** {@link Clock#tickMinutes}. */
    public static Clock tickMinutes(ZoneId zone) {
        return Clock.tick(system(zone), Duration.ofMinutes(1));
    }

    /** LocalDate's own, of this clock. */
    public static LocalDate localDate() {
        return LocalDate.now(systemDefaultZone());
    }

    /** LocalDate's own, of this clock. */
    public static LocalDate localDate(ZoneId zone) {
        return LocalDate.now(system(zone));
    }

    /** LocalTime's own, of this clock. */
    public static LocalTime localTime() {
        return LocalTime.now(systemDefaultZone());
    }

    /** LocalTime's own, of this clock. */
    public static LocalTime localTime(ZoneId zone) {
        return LocalTime.now(system(zone));
    }

    /** LocalDateTime's own, of this clock. */
    public static LocalDateTime localDateTime() {
        return LocalDateTime.now(systemDefaultZone());
    }

    /** LocalDateTime's own, of this clock. */
    public static LocalDateTime localDateTime(ZoneId zone) {
        return LocalDateTime.now(system(zone));
    }

    /** ZonedDateTime's own, of this clock. */
    public static ZonedDateTime zonedDateTime() {
        return ZonedDateTime.now(systemDefaultZone());
    }

    /** ZonedDateTime's own, of this clock. */
    public static ZonedDateTime zonedDateTime(ZoneId zone) {
        return ZonedDateTime.now(system(zone));
    }

    /** OffsetDateTime's own, of this clock. */
    public static OffsetDateTime offsetDateTime() {
        return OffsetDateTime.now(systemDefaultZone());
    }

    /** OffsetDateTime's own, of this clock. */
    public static OffsetDateTime offsetDateTime(ZoneId zone) {
        return OffsetDateTime.now(system(zone));
    }

    /** OffsetTime's own, of this clock. */
    public static OffsetTime offsetTime() {
        return OffsetTime.now(systemDefaultZone());
    }

    /** OffsetTime's own, of this clock. */
    public static OffsetTime offsetTime(ZoneId zone) {
        return OffsetTime.now(system(zone));
    }

    /** Year's own, of this clock. */
    public static Year year() {
        return Year.now(systemDefaultZone());
    }

    /** Year's own, of this clock. */
    public static Year year(ZoneId zone) {
        return Year.now(system(zone));
    }

    /** YearMonth's own, of this clock. */
    public static YearMonth yearMonth() {
        return YearMonth.now(systemDefaultZone());
    }

    /** YearMonth's own, of this clock. */
    public static YearMonth yearMonth(ZoneId zone) {
        return YearMonth.now(system(zone));
    }

    /** MonthDay's own, of this clock. */
    public static MonthDay monthDay() {
        return MonthDay.now(systemDefaultZone());
    }

    /** MonthDay's own, of this clock. */
    public static MonthDay monthDay(ZoneId zone) {
        return MonthDay.now(system(zone));
    }

    private static Calendar behind(Calendar calendar) {
        calendar.setTimeInMillis(currentTimeMillis());
        return calendar;
    }

    /** The system's clock in a time zone, behind by the lag of each moment. */
    private static final class Behind extends Clock {
        private final ZoneId zone;

        Behind(ZoneId zone) {
            this.zone = Objects.requireNonNull(zone, "zone");
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new Behind(other);
        }

        @Override
        public long millis() {
            return currentTimeMillis();
        }

        @Override
        public Instant instant() {
            return LagClock.instant();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Behind && zone.equals(((Behind) other).zone);
        }

        @Override
        public int hashCode() {
            return zone.hashCode() + 1;
        }

        @Override
        public String toString() {
            return "SystemClock[" + zone + "]";
        }
    }
}
