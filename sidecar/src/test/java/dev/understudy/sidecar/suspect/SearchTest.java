package dev.understudy.sidecar.suspect;

import dev.understudy.relay.control.Call;
import dev.understudy.sidecar.control.AgentMeters;
import dev.understudy.sidecar.control.AgentReports;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.ranking.SuspectsView;
import dev.understudy.sidecar.steer.DeepOrders;
import dev.understudy.sidecar.steer.Orders;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Class {@code Cn} has the method {@code Cn#m} with the number n, and a jump with the number 32768 + n. */
final class SearchTest {
    private static final int BRANCHES = 32_768;
    private static final int CLASSES = 40;
    private static final int JUMPED = 13;
    private static final int WENT_ON = 14;

    private final Suspects suspects = new Suspects(new Labels(LabelRule.defaults()), new Random(7));
    private final Random random = new Random(1);
    private long now;
    private int exchanges;

    @Test
    void asLongAsTooFewFail_nobodyLooksCloser() {
        for (int i = 0; i < 50; i++) {
            send(i < 9, List.of(1 * 16, 2 * 16));
        }

        assertThat(suspects.focus()).isEqualTo(new Focus(List.of(), List.of()));
    }

    @Test
    void theSuspectsClassIsFirst_thenWhatCameTrueNearIt_andOnlySoMany() {
        for (int i = 0; i < 400; i++) {
            send(i % 20 == 0, allBut(20, i % 20 == 0));
        }

        Focus focus = suspects.focus();
        assertThat(focus.methods()).containsExactly("C20#m");
        assertThat(focus.classes())
                .hasSize(Search.MOST)
                .startsWith("C20")
                .containsExactlyInAnyOrder("C20", "C19", "C21", "C18", "C22", "C17", "C23", "C16");
    }

    @Test
    void whatHeldWithTheSuspect_comesBeforeWhatWasNearIt() {
        for (int i = 0; i < 400; i++) {
            List<Integer> held = new ArrayList<>();
            for (int n = 1; n < CLASSES; n++) {
                if ((n != 20 && n != 35) || i % 20 == 0) {
                    held.add(n * 16);
                }
            }
            send(i % 20 == 0, held);
        }

        assertThat(suspects.focus().classes()).startsWith("C20", "C35");
    }

    @Test
    void theSuspectsCallersAndCallees_comeBeforeWhatRanNextToIt_theNearestFirst_andNotFromAnyDistance() {
        List<Integer> calls = new ArrayList<>(calls(38, 5, 20, 30, 31, 32, 33, 34));
        calls.addAll(calls(5, 12));
        for (int i = 0; i < 400; i++) {
            boolean fails = i % 20 == 0;
            send(fails, allBut(20, fails), fails ? calls : List.of());
        }

        assertThat(suspects.focus().classes()).containsExactly("C20", "C30", "C5", "C12", "C31", "C38", "C32", "C19");
    }

    @Test
    void whatIsCalledInMoreOfTheFailingExchanges_comesFirst_andOfEqualOnesWhatRanNextToTheSuspect() {
        for (int i = 0; i < 400; i++) {
            boolean fails = i % 20 == 0;
            List<Integer> calls = new ArrayList<>();
            if (fails) {
                calls.addAll(calls(20, 39, 25));
                calls.addAll(calls(39, 10));
                calls.addAll(i % 80 == 0 ? calls(20, 2) : List.of());
            }
            send(fails, allBut(20, fails), calls);
        }

        assertThat(suspects.focus().classes()).startsWith("C20", "C39", "C25", "C10", "C2", "C19");
    }

    /** Everything was called, but for that one only if it {@code fails}. */
    private static List<Integer> allBut(int one, boolean fails) {
        List<Integer> held = new ArrayList<>();
        for (int n = 1; n < CLASSES; n++) {
            if (n != one || fails) {
                held.add(n * 16);
            }
        }
        return held;
    }

    /** Each of these called the next one. */
    private static List<Integer> calls(int... chain) {
        List<Integer> calls = new ArrayList<>();
        for (int i = 1; i < chain.length; i++) {
            calls.add(chain[i]);
            calls.add(chain[i - 1]);
        }
        return calls;
    }

    @Test
    void classesOfWhichNothingIsTold_makeRoom_andComeAgainOnceTwiceAsManyFailed() {
        List<String> first = afterFailing(20);
        List<String> second = afterFailing(40);
        List<String> third = afterFailing(40);

        assertThat(first).hasSize(Search.MOST);
        assertThat(second).hasSize(Search.MOST).doesNotContainAnyElementsOf(first);
        assertThat(third)
                .hasSize(Search.MOST)
                .doesNotContainAnyElementsOf(first)
                .doesNotContainAnyElementsOf(second);
        assertThat(afterFailing(40)).isEqualTo(first);
    }

    /** Where to look after so many more have failed, and as many not, in which all methods were called. */
    private List<String> afterFailing(int more) {
        List<Integer> all = new ArrayList<>();
        for (int n = 1; n < CLASSES; n++) {
            all.add(n * 16);
        }
        for (int i = 0; i < more; i++) {
            send(true, all);
            send(false, all);
        }
        return suspects.focus().classes();
    }

    @Test
    void classesThatToldNothing_makeRoom_untilTheGuiltyOneIsReached() {
        Set<String> looked = new HashSet<>();
        int guilty = 31;
        for (int batch = 0; batch < 40 && !first().equals("C" + guilty + "#m"); batch++) {
            List<String> deep = suspects.focus().classes();
            assertThat(deep).hasSizeLessThanOrEqualTo(Search.MOST);
            looked.addAll(deep);
            for (int i = 0; i < 100; i++) {
                boolean fails = i % 8 == 0;
                List<Integer> held = new ArrayList<>();
                for (int n = 1; n < CLASSES; n++) {
                    held.add(n * 16);
                    if (deep.contains("C" + n)) {
                        boolean jumps = n == guilty ? fails : random.nextBoolean();
                        held.add((BRANCHES + n) * 16 + (jumps ? JUMPED : WENT_ON));
                    }
                }
                send(fails, held);
            }
        }

        assertThat(looked).hasSizeGreaterThan(Search.MOST);
        assertThat(first()).isEqualTo("C" + guilty + "#m");
        assertThat(suspects.focus().classes()).startsWith("C" + guilty);
        for (int i = 0; i < 400; i++) {
            send(i % 8 == 0, List.of(guilty * 16, (BRANCHES + guilty) * 16 + (i % 8 == 0 ? JUMPED : WENT_ON)));
        }
        assertThat(suspects.focus().classes()).as("it goes on telling").startsWith("C" + guilty);
    }

    @Test
    void agentsAreOrderedToLookCloser_everyFewSeconds() {
        Orders orders = new Orders();
        AgentMeters meters = new AgentMeters(new SimpleMeterRegistry(), () -> now);
        AgentReports agents = new AgentReports(() -> {}, () -> {}, meters);
        SuspectsView view = new SuspectsView(suspects, agents, new DeepOrders(orders), example -> List.of(), () -> now);
        for (int i = 0; i < 200; i++) {
            send(i % 10 == 0, i % 10 == 0 ? List.of(16, 32) : List.of(16));
        }
        view.post(call(batch("00000000ffffff01", List.of(16))));
        assertThat(orders.sheet().kinds())
                .isEqualTo(Map.of("deepen", Map.of("classes", List.of("C2", "C1"), "methods", List.of("C2#m"))));

        for (int i = 0; i < 2000; i++) {
            send(i % 10 == 0, i % 10 == 0 ? List.of(16, 48) : List.of(16));
        }
        view.post(call(batch("00000000ffffff02", List.of(16))));
        assertThat(orders.revision()).as("too soon").isEqualTo(1);
        now += 5_000_000_000L;
        view.post(call(batch("00000000ffffff03", List.of(16))));
        assertThat(orders.sheet().kinds().toString()).contains("C3#m");
    }

    private String first() {
        List<Suspect> found = suspects.standing().suspects();
        return found.isEmpty() ? "" : found.get(0).method();
    }

    private void send(boolean fails, List<Integer> held) {
        send(fails, held, List.of());
    }

    private void send(boolean fails, List<Integer> held, List<Integer> calls) {
        String span = String.format("%016x", ++exchanges);
        suspects.ended(TestEnding.of(span).status(fails ? 500 : 200).end());
        suspects.observed(batch(span, held, calls));
    }

    private static Call call(byte[] batch) {
        return new Call("/v1/observations", Map.of(), "application/json", batch);
    }

    private static byte[] batch(String span, List<Integer> held) {
        return batch(span, held, List.of());
    }

    private static byte[] batch(String span, List<Integer> held, List<Integer> calls) {
        Set<String> methods = new HashSet<>();
        Set<String> branches = new HashSet<>();
        for (int predicate : held) {
            int number = predicate / 16;
            if (number < BRANCHES) {
                methods.add("\"" + number + "\":\"C" + number + "#m\"");
            } else {
                branches.add("\"" + number + "\":{\"method\":\"C" + (number - BRANCHES)
                        + "#m\",\"line\":7,\"to\":9,\"condition\":1,\"conditions\":1}");
            }
        }
        String json = "{\"name\":\"a\",\"run\":1,\"closed\":[],\"exchanges\":[{\"span\":\"" + span
                + "\",\"whole\":true,\"held\":" + held + ",\"calls\":" + calls + "}],\"methods\":{"
                + String.join(",", methods)
                + "},\"branches\":{" + String.join(",", branches) + "}}";
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
