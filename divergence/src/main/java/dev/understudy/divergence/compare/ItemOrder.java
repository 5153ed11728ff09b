package dev.understudy.divergence.compare;

import dev.understudy.divergence.content.JsonValue;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a list of which only the order differs is shown: {@code [5 items 1f0c22d3 in order 83b1c6e4]}. Neither number
 * tells what the items are; both are good within this process only.
 *
 * @param items the same for the same items in any order
 * @param order the same for the same items in the same order
 */
public record ItemOrder(String items, String order) {
    private static final Pattern SHOWN = Pattern.compile("\\[\\d+ items ([0-9a-f]{8}) in order ([0-9a-f]{8})]");
    private static final int SALT = (int) System.nanoTime();

    /** How a list is shown. */
    public static String of(List<JsonValue> list) {
        int any = SALT;
        int order = SALT;
        for (JsonValue item : list) {
            int mixed = (item.hashCode() ^ SALT) * 0x9E3779B1;
            mixed ^= mixed >>> 15;
            any += mixed * 0x85EBCA6B;
            order = order * 31 + mixed;
        }
        return "[%d items %08x in order %08x]".formatted(list.size(), any, order);
    }

    /** What is shown there; null if it isn't a list in this form. */
    public static @Nullable ItemOrder read(String shown) {
        Matcher matcher = SHOWN.matcher(shown);
        return matcher.matches() ? new ItemOrder(matcher.group(1), matcher.group(2)) : null;
    }
}
