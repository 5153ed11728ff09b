package dev.understudy.divergence.content;

/** Makes names of many requests and places into names of few: what numbers and ids they hold doesn't count. */
public final class Folding {
    private static final int LONGEST = 200;
    private static final int LONG_ID = 16;
    private static final int UUID = 36;
    /** How places in a text end that has no name for them; there may be very many. */
    private static final String WORD = ".word";

    private static final int MANY_DIGITS = 3;

    private Folding() {}

    /**
     * {@code GET /orders/7?page=2} and {@code GET /orders/8} are {@code GET /orders/{n}}; {@code GET user:17} is
     * {@code GET user:{n}}.
     */
    public static String route(String request) {
        int query = request.indexOf('?');
        String all = query < 0 ? request : request.substring(0, query);
        StringBuilder folded = new StringBuilder(all.length());
        int begin = 0;
        for (int i = 0; i <= all.length(); i++) {
            if (i == all.length() || "/: ;,{}".indexOf(all.charAt(i)) >= 0) {
                folded.append(segment(all.substring(begin, i)));
                if (i < all.length()) {
                    folded.append(all.charAt(i));
                }
                begin = i + 1;
            }
        }
        return shortened(folded.toString(), LONGEST);
    }

    /**
     * {@code body.items[3].price} is {@code body.items[*].price}, {@code body:12.id} is {@code body:*.id}, and
     * {@code body.text.word123} is {@code body.text.word*}.
     */
    public static String place(String path) {
        StringBuilder folded = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            folded.append(c);
            int end = i + 1;
            while (end < path.length() && isDigit(path.charAt(end))) {
                end++;
            }
            boolean index = c == '[' && end < path.length() && path.charAt(end) == ']';
            boolean line = c == ':' && (end == path.length() || path.charAt(end) == '.');
            boolean word = end > i + MANY_DIGITS && folded.toString().endsWith(WORD);
            if (end > i + 1 && (index || line || word)) {
                folded.append('*');
                i = end - 1;
            }
        }
        return shortened(folded.toString(), LONGEST);
    }

    /** At most so many characters of it. */
    public static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + '…';
    }

    private static String segment(String segment) {
        int digits = 0;
        int other = 0;
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (isDigit(c)) {
                digits++;
            } else if ("abcdefABCDEF-".indexOf(c) < 0) {
                other++;
            }
        }
        if (digits > 0 && digits == segment.length()) {
            return "{n}";
        }
        if (segment.length() == UUID && other == 0) {
            return "{uuid}";
        }
        return segment.length() >= LONG_ID && digits > 2 && (other == 0 || digits * 5 > segment.length())
                ? "{id}"
                : segment;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
