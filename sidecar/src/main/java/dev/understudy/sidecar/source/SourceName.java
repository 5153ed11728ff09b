package dev.understudy.sidecar.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What source is wanted of.
 *
 * @param type a class with its package, such as {@code com.shop.Cart$Item}
 * @param method its method, {@code <init>}, or "" for the class
 */
public record SourceName(String type, String method) {
    private static final Pattern FORM =
            Pattern.compile("([A-Za-z_$][\\w$]*(?:\\.[A-Za-z_$][\\w$]*)*)(?:#([\\w$<>]+)(?:\\(.*\\))?)?");

    private static final int LONGEST = 500;

    /**
     * Reads one as suspects name it: {@code com.shop.Cart#total}, or a class.
     *
     * @throws IllegalArgumentException if it is neither; the message names the field {@code method}
     */
    public static SourceName parse(String text) {
        Matcher named = FORM.matcher(text.length() > LONGEST ? "" : text);
        if (!named.matches()) {
            throw new IllegalArgumentException(
                    "method: (expected: com.shop.Cart#total, or a class such as com.shop.Cart)");
        }
        return new SourceName(named.group(1), named.group(2) == null ? "" : named.group(2));
    }

    /** The outermost class as a path without an ending. */
    String file() {
        int inner = type.indexOf('$', type.lastIndexOf('.') + 2);
        return (inner < 0 ? type : type.substring(0, inner)).replace('.', '/');
    }

    /** What its declaration has before a parenthesis. */
    String declared() {
        if (!method.isEmpty() && !method.startsWith("<")) {
            return method.replaceFirst("^lambda\\$(\\w+)\\$.*", "$1");
        }
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }
}
