package dev.understudy.agent.reach;

import dev.understudy.agent.Fuzz;
import dev.understudy.agent.weave.ProbePattern;
import dev.understudy.agent.weave.WovenLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CallGraphTest {
    private static final String HERE = CallGraphTest.class.getName() + "$";

    @Test
    void calls_areFollowedStepByStep_andWhatNobodyCallsIsLeftOut() {
        Reached reached = from("Handler#serve");

        assertThat(contains(reached, "Handler#serve", "Handler#parse", "Prices#round"))
                .isTrue();
        assertThat(contains(reached, "Handler#unused")).isFalse();
        assertThat(contains(reached, "Prices#never")).isFalse();
        assertThat(reached.roots()).isEqualTo(1);
        assertThat(reached.notFollowed()).isZero();
    }

    @Test
    void recursion_ends() {
        Reached reached = from("Handler#ping");

        assertThat(contains(reached, "Handler#ping", "Handler#pong")).isTrue();
        assertThat(reached.size()).isEqualTo(2);
    }

    @Test
    void callsOfAnInterface_reachAllThatImplementIt_alsoByInheritance() {
        Reached reached = from("Handler#store");

        assertThat(contains(reached, "Store#put", "Memory#put", "Disk#put", "Base#log"))
                .isTrue();
        assertThat(contains(reached, "Inherited#keep", "Base#keep", "Disk#unrelated"))
                .isFalse();
        assertThat(contains(from("Handler#keep"), "Base#keep")).isTrue();
    }

    @Test
    void superCalls_reachThatMethodAlone() {
        Reached reached = from("Disk#put");

        assertThat(contains(reached, "Memory#put")).isTrue();
        assertThat(contains(reached, "Handler#store")).isFalse();
    }

    @Test
    void lambdasAndMethodReferences_areCalledByWhoMakesThem() {
        Reached reached = from("Handler#lazily");

        assertThat(contains(reached, "Handler#lambda$lazily$0", "Prices#inLambda", "Prices#referred", "Made#<init>"))
                .isTrue();
    }

    @Test
    void whatALibraryCallsBack_isReachedByWhoMakesTheObject() {
        Reached reached = from("Handler#sorted");

        assertThat(contains(reached, "ByLength#compare", "Prices#length")).isTrue();
        assertThat(contains(reached, "ByLength#notACallback")).isFalse();
    }

    @Test
    void overloads_areToldApart() {
        assertThat(contains(from("Handler#one"), "Prices#twice(int)")).isTrue();
        assertThat(contains(from("Handler#one"), "Prices#twice(String)")).isFalse();
    }

    @Test
    void itStopsAtSoManyMethods_andSaysSo() {
        Reached reached = graph(1).from(ProbePattern.of(HERE + "Handler#serve"));

        assertThat(contains(reached, "Handler#serve", "Handler#parse")).isTrue();
        assertThat(contains(reached, "Prices#round")).isFalse();
        assertThat(reached.notFollowed()).isPositive();
    }

    @Test
    void damagedClassFiles_areRefused() {
        byte[] good = WovenLoader.classFile(HERE + "Handler");
        for (int seed = 0; seed < Fuzz.rounds(500); seed++) {
            Random random = new Random(seed);
            byte[] bad = good.clone();
            for (int n = 0; n < 3; n++) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                CallGraph graph = new CallGraph(100);
                graph.add(ClassCalls.of(bad));
                graph.from(ProbePattern.of("*"));
            } catch (RuntimeException refused) {
                assertThat(refused).as("seed %d", seed).isNotNull();
            }
        }
    }

    private static Reached from(String root) {
        return graph(1000).from(ProbePattern.of(HERE + root));
    }

    private static boolean contains(Reached reached, String... methods) {
        for (String method : methods) {
            if (!reached.contains(HERE + method)) {
                return false;
            }
        }
        return true;
    }

    private static CallGraph graph(int most) {
        CallGraph graph = new CallGraph(most);
        for (Class<?> one : CallGraphTest.class.getDeclaredClasses()) {
            graph.add(ClassCalls.of(WovenLoader.classFile(one.getName())));
        }
        for (String missing : graph.missing()) {
            graph.addOutside(ClassCalls.of(WovenLoader.classFile(missing)));
        }
        return graph;
    }

    static final class Handler {
        private final Store store = new Memory();

        int serve(String text) {
            return parse(text);
        }

        private int parse(String text) {
            return Prices.round(text.length());
        }

        int unused() {
            return Prices.never();
        }

        int ping(int n) {
            return n == 0 ? 0 : pong(n - 1);
        }

        int pong(int n) {
            return n == 0 ? 1 : ping(n - 1);
        }

        void store(String text) {
            store.put(text);
        }

        void keep(Inherited inherited) {
            inherited.keep();
        }

        List<String> lazily(List<String> texts) {
            Function<String, String> referred = Prices::referred;
            List<Made> made = new ArrayList<>();
            texts.stream().map(Made::new).forEach(made::add);
            texts.forEach(text -> Prices.inLambda(text));
            return texts.stream().map(referred).toList();
        }

        void sorted(List<String> texts) {
            texts.sort(new ByLength());
        }

        int one() {
            return Prices.twice(1);
        }
    }

    static final class Prices {
        static int round(int x) {
            return x / 10 * 10;
        }

        static int never() {
            return 0;
        }

        static void inLambda(String text) {
            round(text.length());
        }

        static String referred(String text) {
            return text + text;
        }

        static int length(String text) {
            return text.length();
        }

        static int twice(int x) {
            return 2 * x;
        }

        static String twice(String x) {
            return x + x;
        }
    }

    static final class Made {
        final String text;

        Made(String text) {
            this.text = text;
        }
    }

    interface Store {
        void put(String text);
    }

    static class Base {
        void log(String text) {
            Prices.round(text.length());
        }

        void keep() {
            log("");
        }
    }

    static class Memory extends Base implements Store {
        @Override
        public void put(String text) {
            log(text);
        }
    }

    static final class Disk extends Memory {
        @Override
        public void put(String text) {
            super.put(text);
        }

        void unrelated() {
            keep();
        }
    }

    static final class Inherited extends Base {}

    static final class ByLength implements java.util.Comparator<String> {
        @Override
        public int compare(String a, String b) {
            return Integer.compare(Prices.length(a), Prices.length(b));
        }

        static int notACallback() {
            return 0;
        }
    }
}
