package dev.understudy.divergence.content;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TimeStampsTest {
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    private static final TextSpan FIRST =
            new TextSpan(Instant.parse("2026-07-04T11:59:58Z"), Instant.parse("2026-07-04T12:00:02.020Z"));
    private static final TextSpan SECOND =
            new TextSpan(Instant.parse("2026-07-04T12:09:58Z"), Instant.parse("2026-07-04T12:10:02.020Z"));
    private static final Set<ZoneId> ZONES = Set.of(ZoneOffset.UTC, ZoneId.of("Europe/Berlin"));

    private static boolean now(String first, String second) {
        return TimeStamps.texts(first, FIRST, second, SECOND, ZONES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-07-04T12:00:00Z | 2026-07-04T12:10:00Z",
                "2026-07-04T11:59:58Z | 2026-07-04T12:10:02.020Z",
                "2026-07-04T14:00:00.123456+02:00 | 2026-07-04T14:10:00.1+02:00",
                "2026-07-04T14:00:00+02:00[Europe/Berlin] | 2026-07-04T14:10:00+02:00[Europe/Berlin]",
                "2026-07-04T14:00:00+0200 | 2026-07-04T14:10:00+0200",
                "2026-07-04 14:00:00.5+02 | 2026-07-04 14:10:00+02",
                "2026-07-04T14:00:00 | 2026-07-04T14:10:00",
                "2026-07-04 12:00:00.5 | 2026-07-04 12:10:00.25",
                "Sat, 04 Jul 2026 12:00:00 GMT | Sat, 04 Jul 2026 12:10:00 GMT",
                "1783166400 | 1783167000",
                "1783166400123 | 1783167000456",
                "1783166400123456 | 1783167000123456",
                "1783166400123456789 | 1783167000123456789",
                "1783166400.5 | 1783167000.123456789",
            })
    void bothWithinTheirOwnSpan_areNow(String first, String second) {
        assertThat(now(first, second)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-07-04T12:00:00Z | 2026-07-04T12:00:00.001Z",
                "2026-07-04T12:00:03Z | 2026-07-04T12:10:00Z",
                "2026-07-04T11:59:57Z | 2026-07-04T12:10:00Z",
                "2026-07-04T12:00:00Z | 2026-07-04T14:10:00+02:00",
                "2026-07-04T14:00:00 | 2026-07-04T12:10:00",
                "2026-07-04T13:00:00 | 2026-07-04T13:10:00",
                "2026-07-04T12:00:00Z | 2026-07-04T12:10:00",
                "2026-07-04T12:00:00Z | 1783167000",
                "2026-07-04 | 2026-07-05",
                "Sat, 04 Jul 2026 12:00:00 GMT | 2026-07-04T12:10:00Z",
                "Fri, 04 Jul 2026 12:00:00 GMT | Fri, 04 Jul 2026 12:10:00 GMT",
                "1783166400 | 1783167000123",
                "17831664000 | 17831670000",
                "0x17831664 | 0x17831670",
                "-1783166400 | -1783167000",
                "1783166400. | now",
            })
    void anythingElse_isNot(String first, String second) {
        assertThat(now(first, second)).isFalse();
    }

    @Test
    void noise_neverThrows() {
        String characters = "0123456789-+:.TZ []GMTEurope/BlnSatJul,";
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text =
                    new StringBuilder("2026-07-04T14:00:00.123+02:00[Europe/Berlin]".substring(0, random.nextInt(45)));
            for (int i = random.nextInt(5); i > 0 && text.length() > 0; i--) {
                text.setCharAt(random.nextInt(text.length()), characters.charAt(random.nextInt(characters.length())));
            }
            now(text.toString(), "2026-07-04T12:10:00Z");
            now("2026-07-04T12:00:00Z", text.toString());
            now(text.toString(), text.toString());
        }
    }

    /** The JDK's own parser is the yardstick, but for what RFC 9110 has otherwise: two digits for each day. */
    @Test
    void httpDates_areReadAsTheJdkReadsThem_andNothingElseIs() {
        assertThat(TimeStamps.httpDate("Thu, 30 Mar 0000 10:10:52 GMT"))
                .as("a year that there wasn't")
                .isNull();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int n = 0; n < 20_000; n++) {
            Instant instant = Instant.ofEpochSecond(random.nextLong(253_000_000_000L));
            String text = HTTP_DATE.format(instant.atZone(ZoneOffset.UTC));
            assertThat(TimeStamps.httpDate(text)).as("%s, seed %d", text, seed).isEqualTo(instant);

            char[] changed = text.toCharArray();
            changed[random.nextInt(changed.length)] = (char) (32 + random.nextInt(95));
            String mutant = new String(changed);
            Instant read = TimeStamps.httpDate(mutant);
            assertThat(read == null ? null : HTTP_DATE.format(read.atZone(ZoneOffset.UTC)))
                    .as("%s, seed %d", mutant, seed)
                    .isIn(null, mutant);
        }
    }
}
