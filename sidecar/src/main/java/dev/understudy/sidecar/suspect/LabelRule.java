package dev.understudy.sidecar.suspect;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What makes an exchange a failing one.
 *
 * @param different whether replies that differ do
 * @param status the least status of debug's reply that does
 * @param escaped whether an exception that leaves the server's entry does
 * @param logged whether an error that is logged for it does
 * @param slow which of debug's times do
 * @param also requests with a status, or a reply, of theirs that do
 * @param least how many failing, and how many successful ones are needed before anybody is suspected
 */
public record LabelRule(
        boolean different, int status, boolean escaped, boolean logged, Slow slow, List<Also> also, int least) {
    public LabelRule {
        also = List.copyOf(also);
    }

    /** What holds where nothing is set. */
    public static LabelRule defaults() {
        return new LabelRule(true, 500, true, true, Slow.NEVER, List.of(), 10);
    }

    /** The same where it says nothing that replies differ. */
    LabelRule withoutDifferent() {
        return new LabelRule(false, status, escaped, logged, slow, also, least);
    }

    /**
     * Why the exchange failed, NONE if it succeeded, UNKNOWN if that can't be told.
     *
     * @param times of all exchanges
     */
    Why judge(Ending ending, boolean exceptionEscaped, boolean errorLogged, Times times) {
        if (different && ending.different()) {
            return Why.DIFFERENT;
        }
        if (escaped && exceptionEscaped) {
            return Why.ESCAPED;
        }
        if (logged && errorLogged) {
            return Why.LOGGED;
        }
        if (ending.debugMillis() == null) {
            return ending.late() ? Why.SLOW : Why.UNKNOWN;
        }
        if (ending.status() >= status) {
            return Why.STATUS;
        }
        if (also.stream().anyMatch(rule -> rule.holds(ending))) {
            return Why.RULE;
        }
        return slow.holds(ending, times) ? Why.SLOW : Why.NONE;
    }

    /** Why an exchange failed. */
    public enum Why {
        DIFFERENT,
        STATUS,
        ESCAPED,
        LOGGED,
        SLOW,
        RULE,
        /** It succeeded. */
        NONE,
        /** It can't be told: debug's reply never came. */
        UNKNOWN
    }

    /**
     * A rule of the operator's: {@code 404 GET /users/*}, or, where replies have no status, {@code :0 EXISTS user:*}, or of SQL the state of an
     * error, {@code 23505 INSERT INTO users*}, or of bytes how an answer begins, {@code SERVER_ERROR* tcp set}.
     */
    public static final class Also {
        /** An SQLSTATE: a class of two characters and three more, of which PostgreSQL's have at least one digit. */
        private static final String STATE = "(?=.*\\d)[0-9A-Z]{5}";

        private final String text;
        private final Pattern answer;
        private final Pattern request;

        private Also(String text, Pattern answer, Pattern request) {
            this.text = text;
            this.answer = answer;
            this.request = request;
        }

        /**
         * Reads a status, an SQLSTATE, or how a reply begins, then a method and a path or key, or an SQL statement, or {@code tcp} and the
         * first word; {@code *} stands for anything, {@code \x00} in an answer of bytes for one that isn't printable.
         *
         * @throws IllegalArgumentException if it isn't that
         */
        public static Also of(String text) {
            String[] parts = text.strip().split("\\s+", 3);
            boolean bytes = parts.length == 3 && parts[1].equalsIgnoreCase("tcp") && !parts[2].contains(" ");
            if (bytes) {
                String request = parts[2].equals("*") ? "tcp*" : "tcp " + parts[2];
                return new Also(text, pattern(parts[0].replace("\\x20", " "), 0), pattern(request, 0));
            }
            boolean sql = parts[0].matches(STATE);
            if (parts.length != 3 || !(sql || (isAnswer(parts[0]) && !parts[2].contains(" ")))) {
                throw new IllegalArgumentException(text);
            }
            return sql
                    ? new Also(
                            text,
                            pattern("ERROR " + parts[0], 0),
                            pattern(parts[1] + " " + parts[2], Pattern.CASE_INSENSITIVE))
                    : new Also(
                            text, pattern(parts[0], 0), pattern(parts[1].toUpperCase(Locale.ROOT) + " " + parts[2], 0));
        }

        private static boolean isAnswer(String text) {
            return text.matches("[1-9]\\d\\d") || "+-:$*".indexOf(text.charAt(0)) >= 0;
        }

        private static Pattern pattern(String text, int flags) {
            StringBuilder pattern = new StringBuilder();
            for (String part : text.split("\\*", -1)) {
                pattern.append(pattern.length() == 0 ? "" : ".*").append(Pattern.quote(part));
            }
            return Pattern.compile(pattern.toString(), Pattern.DOTALL | flags);
        }

        boolean holds(Ending ending) {
            String answered = ending.status() > 0 ? Integer.toString(ending.status()) : ending.said();
            return answer.matcher(answered).matches()
                    && request.matcher(ending.request()).matches();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Also also && also.text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
