package dev.understudy.agent;

import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.reach.Reachability;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.Weaver;
import dev.understudy.agent.weave.WovenLoader;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class AskedClassesTest {
    private static final String CART = Cart.class.getName();
    private static final String STOCK = Stock.class.getName();
    private static final String TILL = Till.class.getName();

    private final ProbeDirectory probes = new ProbeDirectory();
    private final Weaver weaver = new Weaver(probes, WovenCache.none());
    private final WovenLoader loader = new WovenLoader(name -> false);
    private final AskedClasses asked = new AskedClasses(
            probes, new Reachability(unasked(), loaded -> true, () -> 0), ApplicationCode.inPackages(List.of(TILL)));

    @Test
    void theOperators_comeFirst_alsoThoseThatAreLoadedLater() throws Exception {
        weave(TILL);
        weave(CART);
        assertThat(asked.ask(List.of("*$Cart#total", "*$Stock", "@no.Such"), List.of("x.Y", CART)))
                .isEmpty();
        assertThat(asked.unmatched()).containsExactly("*$Stock", "@no.Such");
        weave(STOCK);
        assertThat(List.copyOf(asked.now().entrySet()))
                .containsExactly(
                        Map.entry(CART, AskedClasses.By.OPERATOR),
                        Map.entry(STOCK, AskedClasses.By.OPERATOR),
                        Map.entry("x.Y", AskedClasses.By.SEARCH),
                        Map.entry(TILL, AskedClasses.By.SETTINGS));
        assertThat(asked.unmatched()).containsExactly("@no.Such");
        assertThat(asked.isOrdered()).isTrue();

        assertThat(asked.ask(null, List.of(CART))).isEmpty();
        assertThat(asked.now()).isEqualTo(Map.of(CART, AskedClasses.By.SEARCH, TILL, AskedClasses.By.SETTINGS));
        assertThat(asked.isOrdered()).isFalse();
    }

    @Test
    void annotations_meanTheirMethodsClasses() throws Exception {
        weave(CART);
        weave(STOCK);
        asked.ask(List.of("@java.lang.Deprecated"), List.of());
        assertThat(asked.now()).isEqualTo(Map.of(STOCK, AskedClasses.By.OPERATOR));
    }

    @Test
    void whatIsNoPattern_isAProblem_andTheOthersHold() throws Exception {
        weave(CART);
        List<Object> odd = new ArrayList<>(List.of(5, "", true, Map.of("a", "b".repeat(9999)), List.of(), "*$Cart"));
        assertThat(asked.ask(odd, List.of())).hasSize(5).allMatch(problem -> problem.length() < 200);
        assertThat(asked.now()).containsOnlyKeys(CART);
        for (Object other : List.of("*", 5, Map.of())) {
            assertThat(asked.ask(other, List.of())).singleElement().asString().endsWith("(expected: a list)");
        }
        assertThat(asked.now()).isEmpty();
    }

    private void weave(String name) throws IOException {
        assertThat(weaver.weave(loader, WovenLoader.classFile(name))).isNotNull();
    }

    /** Nothing that can be reached is asked for here. */
    private static Instrumentation unasked() {
        return (Instrumentation) Proxy.newProxyInstance(
                AskedClassesTest.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, arguments) -> {
                    throw new AssertionError(method);
                });
    }

    static final class Cart {
        int total(int items) {
            return items > 3 ? items * 9 : items * 10;
        }
    }

    static final class Stock {
        @Deprecated
        int left(int sold) {
            return sold > 3 ? 7 - sold : 4 * sold;
        }
    }

    static final class Till {
        int open(int key) {
            return key > 3 ? key * 9 : key * 10;
        }
    }
}
