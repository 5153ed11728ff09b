package dev.understudy.sidecar.experiment;

import dev.understudy.sidecar.experiment.Requests.Sample;
import dev.understudy.sidecar.reduce.Reduction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is compared. Immutable.
 *
 * @param passing up to two; none if the failing one is to be made smaller first, and nothing like it is kept
 * @param reduction how the failing one was made smaller; null if it wasn't
 * @param without the part that was left out of the failing one, which gave the passing one; empty if that is another
 *     exchange's request
 */
record ComparedRequests(
        Sample failing, List<Sample> passing, @Nullable Reduction reduction, String without) {
    /** From here on a reply says that the request was no good one. */
    private static final int REFUSED = 400;

    ComparedRequests {
        passing = List.copyOf(passing);
    }

    /** As they were recorded. */
    static ComparedRequests recorded(Sample failing, List<Sample> passing) {
        return new ComparedRequests(failing, passing, null, "");
    }

    /**
     * The smallest request that fails, and the one that has the most of it and goes well; the same good ones as before
     * if each smaller one is refused.
     */
    ComparedRequests reduced(Reduction made) {
        Sample smallest =
                new Sample(failing.entry(), made.smallest().last(), made.first().status());
        return made.needs().stream()
                .filter(need -> need.reply().status() > 0 && need.reply().status() < REFUSED)
                .max(Comparator.comparingInt(need -> need.without().size()))
                .map(need -> new ComparedRequests(
                        smallest,
                        List.of(new Sample(
                                failing.entry(),
                                need.without().last(),
                                need.reply().status())),
                        made,
                        need.part()))
                .orElseGet(() -> new ComparedRequests(smallest, passing, made, ""));
    }

    /** Whether the failing one has that place in the {@link #order}, from 0: they take turns. */
    static boolean isFailing(int place) {
        return place % 2 == 0;
    }

    /**
     * In the order in which they are sent. The failing one is sent twice, as is a good one that was made of it: what
     * differs between two executions that end alike is left out.
     */
    List<Sample> order() {
        List<Sample> order = new ArrayList<>(List.of(failing, passing.get(0), failing));
        order.addAll(without.isEmpty() ? passing.subList(1, passing.size()) : passing);
        return order;
    }
}
