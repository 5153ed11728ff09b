package dev.understudy.aggregator.fact;

import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerFactsTest {
    private final ServerFacts facts = new ServerFacts();

    @Test
    void manyStatements_pushOutEachOther_notTheGreeting_norFactsOfAnotherKind() {
        facts.learnOfServer("greeting", "hello");
        facts.learn("catalogue", 42, 100);
        facts.learn("first", "shape", 100);
        for (int n = 0; n < 20_000; n++) {
            facts.learn("statement " + n, "shape", 100);
        }
        assertThat(facts.known("first", String.class)).isNull();
        assertThat(facts.known("statement 19999", String.class)).isEqualTo("shape");
        assertThat(facts.known("greeting", String.class)).isEqualTo("hello");
        assertThat(facts.known("catalogue", Integer.class)).isEqualTo(42);
    }

    @Test
    void factOfTheServer_isToldToWhoeverWaitsForIt() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        facts.await(
                "greeting",
                String.class,
                GlobalEventExecutor.INSTANCE,
                TimeUnit.MINUTES.toNanos(1),
                fact -> heard.complete(String.valueOf(fact)));
        assertThat(heard).isNotDone();
        facts.learnOfServer("greeting", "hello");
        assertThat(heard.get(60, TimeUnit.SECONDS)).isEqualTo("hello");
    }
}
