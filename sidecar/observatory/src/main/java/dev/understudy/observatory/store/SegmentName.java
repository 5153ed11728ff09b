package dev.understudy.observatory.store;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a segment says whose rows it has, from when on, and by what checksum one knows that it is whole: Parquet
 * has none that its reader checks.
 *
 * @param firstMicros when its first row was, epoch microseconds
 * @param checksum CRC-32C of the file
 */
record SegmentName(StoreTable table, long firstMicros, int checksum) {
    private static final Pattern FORM = Pattern.compile("(exchanges|samples)-([0-9]{17})-([0-9a-f]{8})\\.parquet");

    /** Null for a file that is no segment. */
    static @Nullable SegmentName parse(String name) {
        Matcher form = FORM.matcher(name);
        return form.matches()
                ? new SegmentName(
                        StoreTable.valueOf(form.group(1).toUpperCase(Locale.ROOT)),
                        Long.parseLong(form.group(2)),
                        Integer.parseUnsignedInt(form.group(3), 16))
                : null;
    }

    /** Names in their order are segments in the order of time. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s-%017d-%08x.parquet", table.sqlName(), firstMicros, checksum);
    }
}
