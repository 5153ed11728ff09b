package dev.understudy.sidecar.replay;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.VerdictKind;
import java.util.Comparator;
import java.util.List;

/**
 * How the new reply to one recorded request compares with the recorded one.
 *
 * @param connection its number within the recording
 * @param number of the exchange on its connection, from 1; 0 for a connection that isn't cut into exchanges
 * @param request method and target, masked and shortened; "" for a connection
 * @param kind same, equivalent, different or not compared
 * @param reason why it wasn't compared, or what differs where no places are known; "" otherwise
 * @param differences the first that count, masked; production's value is the recorded one
 */
public record ReplayedExchange(
        long connection, int number, String request, VerdictKind kind, String reason, List<Difference> differences) {
    /** By connection, then in the order of its requests. */
    static final Comparator<ReplayedExchange> IN_ORDER =
            Comparator.comparingLong(ReplayedExchange::connection).thenComparingInt(ReplayedExchange::number);

    private static final int MOST_DIFFERENCES = 20;
    private static final int LONGEST = 500;

    public ReplayedExchange {
        request = shortened(request);
        reason = shortened(reason);
        differences = List.copyOf(differences);
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /** One whose reply was compared; of the differences those that count are kept, the first 20. */
    static ReplayedExchange compared(
            long connection, int number, String request, VerdictKind kind, List<Difference> all) {
        List<Difference> counting = kind != VerdictKind.DIFFERENT
                ? List.of()
                : all.stream()
                        .filter(difference -> difference.noise() == null)
                        .limit(MOST_DIFFERENCES)
                        .toList();
        return new ReplayedExchange(connection, number, request, kind, "", counting);
    }

    /** The same with its first difference alone. */
    ReplayedExchange brief() {
        return new ReplayedExchange(
                connection,
                number,
                request,
                kind,
                reason,
                differences.stream().limit(1).toList());
    }

    /** Whether the reply isn't the recorded one, or nobody knows. */
    boolean isFinding() {
        return kind == VerdictKind.DIFFERENT || kind == VerdictKind.NOT_COMPARED;
    }

    /** What is told of it in a line; "" if its reply is the recorded one. */
    String finding() {
        return differences.isEmpty() ? reason : differences.get(0).toString();
    }
}
