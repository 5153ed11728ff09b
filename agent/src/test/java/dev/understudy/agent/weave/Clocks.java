package dev.understudy.agent.weave;

import java.time.Clock;
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
import java.util.GregorianCalendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Code that asks for the time in every way there is. */
@SuppressWarnings({"JavaUtilDate", "JavaTimeDefaultTimeZone"}) // that is what applications do
public final class Clocks {
    private static final ZoneId UTC = ZoneOffset.UTC;

    private final long constructed = System.currentTimeMillis();

    private Clocks() {}

    /** The time in milliseconds since 1970, by how it was asked for. */
    public static Map<String, Long> millis() {
        Map<String, Long> asked = new LinkedHashMap<>();
        asked.put("constructor", new Clocks().constructed);
        asked.put("System", System.currentTimeMillis());
        LongSupplier millis = System::currentTimeMillis;
        asked.put("System::", millis.getAsLong());
        asked.put("Date", new Date().getTime());
        Supplier<Date> date = Date::new;
        asked.put("Date::new", date.get().getTime());
        asked.put("super()", new Stamp(3, "x").getTime());
        asked.put("Instant", Instant.now().toEpochMilli());
        Supplier<Instant> instant = Instant::now;
        asked.put("Instant::now", instant.get().toEpochMilli());
        Supplier<Long> lambda = () -> Instant.now().toEpochMilli();
        asked.put("lambda", lambda.get());
        asked.put("systemUTC", Clock.systemUTC().millis());
        asked.put("systemDefaultZone", Clock.systemDefaultZone().millis());
        asked.put(
                "system",
                Clock.system(UTC).withZone(ZoneId.of("Asia/Tokyo")).instant().toEpochMilli());
        asked.put("tickMillis", Clock.tickMillis(UTC).millis());
        asked.put("tickSeconds", Clock.tickSeconds(UTC).millis());
        asked.put("tickMinutes", Clock.tickMinutes(UTC).millis());
        asked.put("now(Clock)", Instant.now(Clock.systemUTC()).toEpochMilli());
        asked.put("Calendar", Calendar.getInstance().getTimeInMillis());
        asked.put("Calendar, zone", Calendar.getInstance(TimeZone.getDefault()).getTimeInMillis());
        asked.put("Calendar, locale", Calendar.getInstance(Locale.ROOT).getTimeInMillis());
        asked.put(
                "Calendar, both",
                Calendar.getInstance(TimeZone.getDefault(), Locale.ROOT).getTimeInMillis());
        asked.put(
                "LocalDateTime",
                LocalDateTime.now().atZone(ZoneId.systemDefault()).toInstant().toEpochMilli());
        asked.put(
                "LocalDateTime, zone",
                LocalDateTime.now(UTC).toInstant(ZoneOffset.UTC).toEpochMilli());
        asked.put("ZonedDateTime", ZonedDateTime.now().toInstant().toEpochMilli());
        Function<ZoneId, ZonedDateTime> zoned = ZonedDateTime::now;
        asked.put("ZonedDateTime::now", zoned.apply(UTC).toInstant().toEpochMilli());
        asked.put("OffsetDateTime", OffsetDateTime.now().toInstant().toEpochMilli());
        asked.put("OffsetDateTime, zone", OffsetDateTime.now(UTC).toInstant().toEpochMilli());
        asked.put(
                "LocalDate, LocalTime",
                LocalDate.now(UTC)
                        .atTime(LocalTime.now(UTC))
                        .toInstant(ZoneOffset.UTC)
                        .toEpochMilli());
        asked.put(
                "OffsetTime",
                LocalDate.now().atTime(OffsetTime.now()).toInstant().toEpochMilli());
        asked.put(
                "OffsetTime, zone",
                LocalDate.now(UTC).atTime(OffsetTime.now(UTC)).toInstant().toEpochMilli());
        asked.put(
                "LocalTime",
                LocalDate.now()
                        .atTime(LocalTime.now())
                        .atZone(ZoneId.systemDefault())
                        .toInstant()
                        .toEpochMilli());
        return asked;
    }

    /** Parts of a date, in the default zone and in UTC. */
    public static List<Object> parts() {
        return List.of(
                Year.now(), YearMonth.now(), MonthDay.now(), Year.now(UTC), YearMonth.now(UTC), MonthDay.now(UTC));
    }

    /** What stays the real time. */
    public static long real() {
        return new GregorianCalendar().getTimeInMillis();
    }

    private static final class Stamp extends Date {
        private static final long serialVersionUID = 1;
        private final String what;

        Stamp(int n, String what) {
            super();
            this.what = what + n;
        }

        @Override
        public String toString() {
            return what + super.toString();
        }
    }
}
