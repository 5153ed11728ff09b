package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Methods ranked by all that speaks for them; the bugs are made up. */
final class MethodRankingTest {
    private static final int FRAME = 1;
    private static final int CAUSE = 2;
    private static final int EFFECT = 3;
    private static final int ONE = 4;
    private static final int OTHER = 5;

    private final List<String> names = new ArrayList<>(List.of(
            "", "web.Dispatcher#dispatch", "shop.Cart#total", "shop.CartException#<init>", "a.One#a", "b.Other#b"));
    private final Suspects suspects =
            new Suspects(new LabelRule(true, 500, true, true, Slow.NEVER, List.of(), 3), new Random(7));

    @Test
    void aFrameThatRunsInEachGoodExchange_isContext_andNoSuspectBeforeTheCause() {
        for (int i = 0; i < 400; i++) {
            boolean fails = i % 20 == 0;
            agent().exchange(fails, fails ? List.of(CAUSE, FRAME) : List.of(), held(fails, FRAME, CAUSE));
        }

        MethodSuspect first = suspects.standing().ranked().get(0);
        assertThat(first.suspect().method()).isEqualTo("shop.Cart#total");
        assertThat(first.context()).containsExactly("web.Dispatcher#dispatch");
    }

    @Test
    void whatReportsAnError_standsBehindWhatHeldBeforeIt() {
        for (int i = 0; i < 400; i++) {
            boolean fails = i % 20 == 0;
            // the cause is seen in a good exchange, too, and its effect never
            boolean cause = fails || i == 1;
            List<Integer> held = new ArrayList<>(List.of(FRAME));
            held.addAll(cause ? List.of(CAUSE) : List.of());
            held.addAll(fails ? List.of(EFFECT) : List.of());
            agent().exchange(fails, called(held));
        }

        assertThat(methods()).startsWith("shop.Cart#total");
        assertThat(methods().indexOf("shop.CartException#<init>")).isPositive();
    }

    @Test
    void namesOfWhatReportsErrors_areKnown() {
        assertThat(List.of(
                        "a.ShopException#<init>",
                        "a.ErrorPageFilter#doFilter",
                        "org.slf4j.Logger#warn(String)",
                        "a.Response#sendError(int)",
                        "a.GlobalExceptionHandler#handle"))
                .allMatch(MethodRanking::isEffect);
        assertThat(List.of("a.Catalog#find(Exception)", "a.Login#check", "a.Dialog#open", "a.Terror#strike"))
                .noneMatch(MethodRanking::isEffect);
    }

    @Test
    void twoThatFailOnlyTogether_competeThemselves() {
        for (int i = 0; i < 2_000; i++) {
            boolean fails = i % 40 == 2;
            boolean one = i % 8 == 0 || fails;
            boolean other = i % 8 == 1 || fails;
            List<Integer> held = new ArrayList<>(List.of(FRAME));
            held.addAll(one ? List.of(ONE) : List.of());
            held.addAll(other ? List.of(OTHER) : List.of());
            agent().exchange(fails, called(held));
        }

        MethodSuspect later = suspects.standing().ranked().stream()
                .filter(one -> one.suspect().method().equals("b.Other#b"))
                .findFirst()
                .orElseThrow();
        assertThat(later.evidence().joint()).isGreaterThan(0.9);
        assertThat(later.clues().get(0).words()).isEqualTo("was called, after a.One#a was called");
    }

    @Test
    void aGoodHypothesis_isStillNamed_whenItsPlaceWasTakenByOthers_untilItsOwnCountsRefuteIt() {
        for (int i = 0; i < 100; i++) {
            agent().exchange(i % 10 == 0, held(i % 10 == 0, FRAME, CAUSE));
        }
        suspects.standing();
        for (int i = 0; i < 200; i++) {
            boolean fails = i % 10 == 0;
            agent().exchange(fails, fails ? called(List.of(FRAME, ONE)) : called(List.of(FRAME)));
        }
        MethodSuspect kept = named("shop.Cart#total");
        assertThat(kept.evidence().kept()).isPositive();

        for (int i = 0; i < 4_000; i++) {
            agent().exchange(false, called(List.of(FRAME, CAUSE)));
        }
        assertThat(suspects.standing().ranked())
                .filteredOn(one -> one.suspect().method().equals("shop.Cart#total"))
                .allMatch(one -> one.evidence().kept() == 0);
    }

    @Test
    void noMethodIsNamedTwice_andNoMoreThanAFew() {
        for (int i = names.size(); i < 60; i++) {
            names.add("c.Class" + i + "#m");
        }
        int[] all = IntStream.range(FRAME, 60)
                .map(method -> method * Predicate.ROOM)
                .toArray();
        for (int i = 0; i < 100; i++) {
            agent().exchange(i % 10 == 0, i % 10 == 0 ? all : held(false, FRAME));
        }

        assertThat(methods()).doesNotHaveDuplicates().hasSize(MethodRanking.MOST);
    }

    private MethodSuspect named(String method) {
        return suspects.standing().ranked().stream()
                .filter(one -> one.suspect().method().equals(method))
                .findFirst()
                .orElseThrow();
    }

    private List<String> methods() {
        return suspects.standing().ranked().stream()
                .map(one -> one.suspect().method())
                .toList();
    }

    private TestAgent agent() {
        return new TestAgent(
                suspects,
                IntStream.range(1, names.size())
                        .mapToObj(number -> "\"" + number + "\":\"" + names.get(number) + "\"")
                        .collect(Collectors.joining(",", "\"methods\":{", "}")));
    }

    /** The first method was called, the others too if it fails. */
    private static int[] held(boolean fails, int always, int... otherwise) {
        List<Integer> held = new ArrayList<>(List.of(always));
        if (fails) {
            IntStream.of(otherwise).forEach(held::add);
        }
        return called(held);
    }

    private static int[] called(List<Integer> methods) {
        return methods.stream().mapToInt(method -> method * Predicate.ROOM).toArray();
    }
}
