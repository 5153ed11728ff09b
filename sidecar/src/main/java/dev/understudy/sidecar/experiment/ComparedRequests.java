package dev.understudy.sidecar.experiment;

import dev.understudy.sidecar.experiment.Requests.Sample;
import dev.understudy.sidecar.reduce.CallText;
import dev.understudy.sidecar.reduce.HttpCall;
import dev.understudy.sidecar.reduce.InputPart;
import dev.understudy.sidecar.reduce.Reduction;
import dev.understudy.sidecar.reduce.Reduction.Need;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is compared. Immutable.
 *
 * @param passing up to two; none if the failing one is to be made smaller first, and nothing like it is kept
 * @param isPart whether the passing one is a part of the failing one
 * @param reduced how small the failing one can be; null if that wasn't asked
 */
record ComparedRequests(
        Sample failing,
        List<Sample> passing,
        boolean isPart,
        @Nullable ReducedRequest reduced) {
    private static final int REDIRECT = 300;

    ComparedRequests {
        passing = List.copyOf(passing);
    }

    /** As they were recorded. */
    static ComparedRequests recorded(Sample failing, List<Sample> passing) {
        return new ComparedRequests(failing, passing, false, null);
    }

    /**
     * The smallest request that fails, and the nearest part of it that goes well. The recorded ones stay if no part of
     * it that has a name makes the difference: then the part is of another content, which makes all that is done with
     * it differ, and the good requests of the route are nearer.
     */
    ComparedRequests reduced(Reduction made, CallText texts) {
        Optional<Need> nearest = made.needs().stream()
                .filter(this::isGood)
                .max(Comparator.comparing((Need need) -> need.reply().status() < REDIRECT)
                        .thenComparing(need -> need.without().size()));
        ReducedRequest reduced = ReducedRequest.of(made, texts);
        return nearest.map(need -> new ComparedRequests(
                        sample(made.smallest().last(), made.first().status()),
                        List.of(sample(need.without().last(), need.reply().status())),
                        true,
                        reduced))
                .orElseGet(() -> new ComparedRequests(failing, passing, false, reduced));
    }

    /** Without other good ones a redirect will do, to a login for example, and a piece. */
    private boolean isGood(Need need) {
        int status = need.reply().status();
        return status > 0
                && (passing.isEmpty()
                        ? status < Requests.FAILURE
                        : status < REDIRECT && need.part().kind() != InputPart.Kind.PIECE);
    }

    private Sample sample(HttpCall call, int status) {
        return new Sample(failing.entry(), call, status);
    }

    /** Whether the failing one has that place in the {@link #order}, from 0: they take turns. */
    static boolean isFailing(int place) {
        return place % 2 == 0;
    }

    /**
     * In the order in which they are sent. The failing one is sent twice, as is a part of it that goes well: what
     * differs between two executions that end alike is left out.
     */
    List<Sample> order() {
        List<Sample> order = new ArrayList<>(List.of(failing, passing.get(0), failing));
        order.addAll(isPart ? passing : passing.subList(1, passing.size()));
        return order;
    }
}
