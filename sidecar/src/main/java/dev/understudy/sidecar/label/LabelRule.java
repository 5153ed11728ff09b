package dev.understudy.sidecar.label;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.understudy.divergence.wire.http.GrpcCode;
import dev.understudy.sidecar.verdict.Failing;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What makes an exchange a failing one.
 *
 * @param different whether replies that differ do
 * @param status the least status of debug's reply that does
 * @param grpc the codes of debug's gRPC reply that do
 * @param escaped whether an exception that leaves the server's entry does
 * @param logged whether an error that is logged for it does
 * @param slow which of debug's times do
 * @param also requests with a status, or a reply, of theirs that do
 * @param least how many failing, and how many successful ones are needed before anybody is suspected
 */
public record LabelRule(
        boolean different,
        int status,
        Set<GrpcCode> grpc,
        boolean escaped,
        boolean logged,
        Slow slow,
        List<Also> also,
        int least) {
    /**
     * The codes by which a server says that it, or what it needs, is at fault, as statuses from 500 on do; all others
     * answer to what the client asked.
     */
    private static final Set<GrpcCode> SERVER_ERRORS = Set.copyOf(EnumSet.of(
            GrpcCode.UNKNOWN, GrpcCode.DEADLINE_EXCEEDED, GrpcCode.INTERNAL, GrpcCode.UNAVAILABLE, GrpcCode.DATA_LOSS));

    /** Of no route is it known what takes long; nothing is ever added. */
    private static final Times NO_TIMES = new Times();

    public LabelRule {
        grpc = Set.copyOf(grpc);
        also = List.copyOf(also);
    }

    /** One with the usual codes of gRPC. */
    public LabelRule(
            boolean different, int status, boolean escaped, boolean logged, Slow slow, List<Also> also, int least) {
        this(different, status, SERVER_ERRORS, escaped, logged, slow, also, least);
    }

    /** What holds where nothing is set. */
    public static LabelRule defaults() {
        return new LabelRule(true, 500, true, true, Slow.NEVER, List.of(), 10);
    }

    /** What is asked of replies beside their status, each once. */
    public List<ReplyCondition> conditions() {
        return also.stream().flatMap(rule -> rule.condition.stream()).distinct().toList();
    }

    /** The same where it says nothing that replies differ. */
    public LabelRule withoutDifferent() {
        return new LabelRule(false, status, grpc, escaped, logged, slow, also, least);
    }

    /**
     * Why the exchange failed, NONE if it succeeded, UNKNOWN if that can't be told. What debug's reply shows by itself
     * comes first, and that it differs last: a status 500 where production has 200 is one that a user would notice.
     * That a reply differs from one with a failing status blames nobody in the debug JVM, and doesn't make it a right
     * one either.
     *
     * @param times of all exchanges
     */
    public Why judge(ExchangeOutcome ending, boolean exceptionEscaped, boolean errorLogged, Times times) {
        boolean over = ending.debugMillis() != null;
        if (over && hasFailingStatus(ending)) {
            return Why.STATUS;
        }
        if (over && also.stream().anyMatch(rule -> rule.holds(ending))) {
            return Why.RULE;
        }
        if (escaped && exceptionEscaped) {
            return Why.ESCAPED;
        }
        if (logged && errorLogged) {
            return Why.LOGGED;
        }
        if (over ? slow.holds(ending, times) : ending.late()) {
            return Why.SLOW;
        }
        if (different && ending.different()) {
            return onlyProductionFailed(ending) ? Why.UNKNOWN : Why.DIFFERENT;
        }
        return over ? Why.NONE : Why.UNKNOWN;
    }

    /**
     * By which rule the exchange fails, as far as the sidecar can tell by itself: not by what only the agent knows of
     * it, and not by a percentile. Null if by none.
     */
    public @Nullable Failing failing(ExchangeOutcome ending) {
        return switch (judge(ending, false, false, NO_TIMES)) {
            case STATUS -> new Failing("STATUS", statusRule(ending));
            case RULE -> new Failing("RULE", holding(ending));
            case SLOW -> late();
            case DIFFERENT -> new Failing("DIFFERENT", "the replies differ");
            case ESCAPED, LOGGED, NONE, UNKNOWN -> null;
        };
    }

    /** Of an exchange that was found slow before it ended. */
    public Failing late() {
        return new Failing("SLOW", ("slow, from " + slow + " on").intern());
    }

    /** There are few rules, and many exchanges that are kept with one. */
    private String statusRule(ExchangeOutcome ending) {
        return (ending.status() >= status ? "status from " + status + " on" : ending.said()).intern();
    }

    private String holding(ExchangeOutcome ending) {
        return also.stream()
                .filter(rule -> rule.holds(ending))
                .findFirst()
                .map(Also::toString)
                .orElse("");
    }

    private boolean hasFailingStatus(ExchangeOutcome ending) {
        return ending.status() >= status || grpc.stream().anyMatch(code -> ending.isGrpc(code));
    }

    private boolean onlyProductionFailed(ExchangeOutcome ending) {
        return ending.productionStatus() >= status && ending.status() > 0 && ending.status() < status;
    }

    /** Why an exchange failed. */
    public enum Why {
        /** Debug's reply has a failing status. */
        STATUS,
        /** One of the operator's rules holds of it. */
        RULE,
        ESCAPED,
        LOGGED,
        SLOW,
        /** It differs from production's, and shows nothing by itself. */
        DIFFERENT,
        /** It succeeded. */
        NONE,
        /**
         * It can't be told: debug's reply never came, or differs from one of production's that has a failing status
         * itself.
         */
        UNKNOWN
    }

    /**
     * A rule of the operator's: {@code 404 GET /users/*}, or, where replies have no status, {@code :0 EXISTS user:*},
     * or of SQL the state of an error, {@code 23505 INSERT INTO users*}, or of gRPC its code,
     * {@code grpc:5 POST /shop.Cart/*}, or of bytes how an answer begins and the request's first word or how that
     * begins, {@code SERVER_ERROR* tcp set} or {@code * tcp *}{@code /cart/7*}. Of HTTP what the reply shows may
     * follow: {@code 200 POST /orders where json /total < 0}.
     */
    public static final class Also {
        /** An SQLSTATE: a class of two characters and three more, of which PostgreSQL's have at least one digit. */
        private static final String STATE = "(?=.*\\d)[0-9A-Z]{5}";

        private static final String GRPC = "grpc:";
        /** A status, a method and a target, and what the reply shows. */
        private static final Pattern SHOWN = Pattern.compile("([1-9]\\d\\d\\s+\\S+\\s+\\S+)\\s+where\\s+(.+)");

        /** Before the first word of a request of bytes, or how it begins. */
        private static final String BYTES = "tcp ";

        private final String text;
        private final Pattern answer;
        private final Pattern request;
        private final Optional<ReplyCondition> condition;

        private Also(String text, Pattern answer, Pattern request) {
            this(text, answer, request, Optional.empty());
        }

        private Also(String text, Pattern answer, Pattern request, Optional<ReplyCondition> condition) {
            this.text = text;
            this.condition = condition;
            this.answer = answer;
            this.request = request;
        }

        /**
         * Reads a status, an SQLSTATE, {@code grpc:} and a code's number or name, or how a reply begins, then a method
         * and a path or key, or an SQL statement, or {@code tcp} and the first word or how a request of bytes begins;
         * {@code *} stands for anything, {@code \x00} in bytes for one that isn't printable, {@code \x20} for a space.
         *
         * @throws IllegalArgumentException if it isn't that
         */
        public static Also of(String text) {
            Matcher shown = SHOWN.matcher(text.strip());
            if (shown.matches()) {
                Also rest = of(shown.group(1));
                return new Also(text, rest.answer, rest.request, Optional.of(ReplyCondition.of(shown.group(2))));
            }
            String[] parts = text.strip().split("\\s+", 3);
            boolean bytes = parts.length == 3 && parts[1].equalsIgnoreCase("tcp") && !parts[2].contains(" ");
            if (bytes) {
                String request = parts[2].equals("*") ? "tcp*" : BYTES + spaced(parts[2]);
                return new Also(text, pattern(spaced(parts[0]), 0), pattern(request, 0));
            }
            if (parts.length == 3 && parts[0].startsWith(GRPC) && !parts[2].contains(" ")) {
                GrpcCode code = GrpcCode.named(parts[0].substring(GRPC.length()));
                return new Also(text, pattern(code.said(), 0), asked(parts));
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
                    : new Also(text, pattern(parts[0], 0), asked(parts));
        }

        private static Pattern asked(String[] parts) {
            return pattern(parts[1].toUpperCase(Locale.ROOT) + " " + parts[2], 0);
        }

        private static boolean isAnswer(String text) {
            return text.matches("[1-9]\\d\\d") || "+-:$*".indexOf(text.charAt(0)) >= 0;
        }

        /** One that is matched in linear time: the lane's loop does that for each exchange. */
        private static Pattern pattern(String text, int flags) {
            String pattern =
                    Arrays.stream(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            return Pattern.compile(pattern, Pattern.DOTALL | flags);
        }

        /** Whether an exchange that ended so is a failing one. */
        public boolean holds(ExchangeOutcome ending) {
            boolean answered = answer.matcher(ending.said()).matches()
                    || (ending.status() > 0
                            && answer.matcher(Integer.toString(ending.status())).matches());
            return answered
                    && condition.stream().allMatch(ending.shows()::contains)
                    && (request.matcher(ending.request()).matches()
                            || (!ending.opening().isEmpty()
                                    && request.matcher(BYTES + ending.opening()).matches()));
        }

        private static String spaced(String text) {
            return text.replace("\\x20", " ");
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
