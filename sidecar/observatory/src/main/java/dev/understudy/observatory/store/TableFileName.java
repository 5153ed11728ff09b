package dev.understudy.observatory.store;

import dev.understudy.divergence.content.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a segment says which table's rows it has, from when on and from which origin, and by what checksum one
 * knows that it is whole: Parquet has none that its reader checks.
 *
 * @param firstMicros when its first row was, epoch microseconds
 * @param origin {@link #digest} of where its rows are from
 * @param checksum CRC-32C of the file
 */
record TableFileName(StoreTable table, long firstMicros, String origin, int checksum) {
    /** The latest moment that fits in a name, epoch microseconds; later rows count as of then. */
    static final long LATEST = 99_999_999_999_999_999L;

    private static final Pattern FORM =
            Pattern.compile("(exchanges|samples)-([0-9]{17})-([0-9a-f]{16})-([0-9a-f]{8})\\.parquet");

    /** What stands for an origin in names: the beginning of its SHA-256. */
    static String digest(String origin) {
        return HexFormat.of().formatHex(Sha256.of(origin.getBytes(StandardCharsets.UTF_8)), 0, 8);
    }

    /** Null for a file that is no segment. */
    static @Nullable TableFileName parse(String name) {
        Matcher form = FORM.matcher(name);
        return form.matches()
                ? new TableFileName(
                        StoreTable.valueOf(form.group(1).toUpperCase(Locale.ROOT)),
                        Long.parseLong(form.group(2)),
                        form.group(3),
                        Integer.parseUnsignedInt(form.group(4), 16))
                : null;
    }

    /** Names in their order are segments in the order of time. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s-%017d-%s-%08x.parquet", table.sqlName(), firstMicros, origin, checksum);
    }
}
