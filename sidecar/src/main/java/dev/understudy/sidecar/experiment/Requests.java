package dev.understudy.sidecar.experiment;

import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.Place;
import dev.understudy.sidecar.label.ReplyCondition;
import dev.understudy.sidecar.label.ReplyFacts;
import dev.understudy.sidecar.reduce.HttpCall;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.ExchangeLog.Entry;
import dev.understudy.sidecar.verdict.Failing;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import dev.understudy.sidecar.verdict.ReplyPair;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds the requests that are compared: one that failed, and those that went well and are most like it. Stateless. */
final class Requests {
    /** So many of the newest exchanges are looked at. */
    private static final int LOOKED_AT = 20_000;

    /** From here on a reply says that the request was no good one. */
    static final int FAILURE = 400;

    private static final byte[] NOTHING = {};

    private final ExchangeLog log;
    private final Labels labels;

    Requests(ExchangeLog log, Labels labels) {
        this.log = log;
        this.labels = labels;
    }

    /**
     * One that can be sent again.
     *
     * @param entry the exchange that it is of
     * @param call what is sent: that exchange's request, or a part of it
     * @param status the copy's answer to it before; 0 if there was none
     */
    record Sample(Entry entry, HttpCall call, int status) {
        /** Whether that is the status of this reply, if both are known. */
        boolean isAnsweredAsBefore(ReplyFacts reply) {
            return reply.status() == status || reply.status() == 0 || status == 0;
        }
    }

    /**
     * The newest that failed, or the one of that number if it isn't 0; empty if its request isn't kept. Of the newest
     * one that fails by itself comes before one whose replies differ only, which may be a value that each side makes
     * up.
     */
    Optional<Sample> failing(long exchange) {
        return exchange == 0
                ? newest(entry -> entry.failing() != null && !failedByDiffering(entry))
                        .or(() -> newest(entry -> entry.failing() != null))
                : newest(entry -> entry.judged().exchange() == exchange);
    }

    /** The newest of that route that failed. */
    Optional<Sample> failing(String route) {
        return newest(entry -> entry.failing() != null && entry.route().equals(route));
    }

    private Optional<Sample> newest(Predicate<Entry> fits) {
        return newest(1, fits).stream().flatMap(entry -> sample(entry).stream()).findFirst();
    }

    /** So many of the same route that went well, those first that are most like it. */
    List<Sample> passingOfRoute(Sample failing, int most) {
        return passing(failing, most, String::equals);
    }

    /**
     * The same. Where none of it did, those of routes will do that differ in the last part of their path only: names
     * there aren't told from fixed words.
     */
    List<Sample> passing(Sample failing, int most) {
        List<Sample> ofRoute = passingOfRoute(failing, most);
        return ofRoute.isEmpty() ? passing(failing, most, Requests::isSibling) : ofRoute;
    }

    /** Whether all but the last part is the same, and there is something before it. */
    private static boolean isSibling(String route, String other) {
        int last = route.lastIndexOf('/');
        return last == other.lastIndexOf('/')
                && last > route.indexOf('/')
                && last < Math.min(route.length(), other.length()) - 1
                && route.substring(0, last).equals(other.substring(0, last));
    }

    private List<Sample> passing(Sample failing, int most, BiPredicate<String, String> alike) {
        Entry failed = failing.entry();
        List<Entry> all = newest(
                LOOKED_AT,
                entry -> alike.test(entry.route(), failed.route())
                        && entry.debug().equals(failed.debug())
                        && entry.judged().listener().equals(failed.judged().listener())
                        && wentWell(entry));
        Map<String, Integer> words = words(text(failed));
        Map<String, Candidate> different = new HashMap<>();
        for (Entry entry : all) {
            String text = text(entry);
            different.computeIfAbsent(text, first -> new Candidate(entry, likeness(words, words(first))));
        }
        different.remove(text(failed));
        return different.values().stream()
                .sorted(Comparator.comparing(Candidate::isRefused)
                        .thenComparing(
                                Comparator.comparingDouble(Candidate::likeness).reversed())
                        .thenComparing(Comparator.comparingLong(
                                        (Candidate one) -> one.entry().number())
                                .reversed()))
                .flatMap(one -> sample(one.entry()).stream())
                .limit(most)
                .toList();
    }

    /**
     * A request that went well.
     *
     * @param likeness to the one that failed, 0 to 1
     */
    private record Candidate(Entry entry, double likeness) {
        boolean isRefused() {
            return entry.judged().debugStatus() >= FAILURE;
        }
    }

    private List<Entry> newest(int most, Predicate<Entry> fits) {
        return log.search(entry -> request(entry).length > 0 && fits.test(entry), 0, Long.MAX_VALUE, most, LOOKED_AT)
                .entries();
    }

    private static Optional<Sample> sample(Entry entry) {
        return HttpCall.of(request(entry))
                .map(call -> new Sample(entry, call, entry.judged().debugStatus()));
    }

    /** Byte by byte. */
    private static String text(Entry entry) {
        return new String(request(entry), StandardCharsets.ISO_8859_1);
    }

    /** Empty if it isn't kept, or not any more. */
    private static byte[] request(Entry entry) {
        ReplyPair kept = entry.replies();
        byte[] request = kept == null ? null : kept.request();
        return request == null ? NOTHING : request;
    }

    private static boolean wentWell(Entry entry) {
        VerdictKind kind = entry.judged().verdict().kind();
        return entry.failing() == null
                && kind != VerdictKind.DIFFERENT
                && entry.judged().debugMillis() != null;
    }

    /**
     * Whether a reply that the copy gives to the same request now is a failing one: by itself, or, of an exchange that
     * failed since the replies differed, by not being production's.
     */
    boolean fails(Sample asked, ReplyFacts reply) {
        return failsByItself(asked, reply) || (failedByDiffering(asked) && !isProductions(asked, reply));
    }

    /** Whether it failed as the replies differed, and shows nothing by itself. */
    static boolean failedByDiffering(Sample asked) {
        return failedByDiffering(asked.entry());
    }

    private static boolean failedByDiffering(Entry entry) {
        Failing failing = entry.failing();
        return failing != null && failing.by().equals(LabelRule.Why.DIFFERENT.name());
    }

    private static boolean isProductions(Sample asked, ReplyFacts reply) {
        ReplyPair kept = asked.entry().replies();
        ReplyExcerpt production = kept == null ? null : kept.production();
        return production != null
                && production.status() == reply.status()
                && Arrays.equals(ReplyFacts.of(production, 0).body(), reply.body());
    }

    private boolean failsByItself(Sample asked, ReplyFacts reply) {
        Labels.Edition now = labels.now();
        Set<ReplyCondition> shows = now.conditions().stream()
                .filter(condition -> condition.holds(reply))
                .collect(Collectors.toSet());
        Judged judged = asked.entry().judged();
        boolean over = reply.status() > 0;
        ExchangeOutcome ending = new ExchangeOutcome(
                "",
                Place.UNKNOWN,
                judged.exchange(),
                judged.listener(),
                judged.connection(),
                judged.request(),
                "",
                false,
                reply.status(),
                judged.productionStatus(),
                "",
                over ? (double) reply.millis() : null,
                !over,
                shows,
                "",
                now.number());
        return now.rule().failing(ending) != null;
    }

    private static Map<String, Integer> words(String text) {
        Map<String, Integer> words = new HashMap<>();
        for (String word : text.split("(?<=\\W)|(?=\\W)", -1)) {
            words.merge(word, 1, Integer::sum);
        }
        return words;
    }

    /** What both have of all that either has, from 0 to 1. */
    private static double likeness(Map<String, Integer> one, Map<String, Integer> other) {
        int both = 0;
        int either = 0;
        for (Map.Entry<String, Integer> word : one.entrySet()) {
            int there = other.getOrDefault(word.getKey(), 0);
            both += Math.min(word.getValue(), there);
            either += Math.max(word.getValue(), there);
        }
        for (Map.Entry<String, Integer> word : other.entrySet()) {
            either += one.containsKey(word.getKey()) ? 0 : word.getValue();
        }
        return either == 0 ? 1 : (double) both / either;
    }
}
