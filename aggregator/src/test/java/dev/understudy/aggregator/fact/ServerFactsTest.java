package dev.understudy.aggregator.fact;

import dev.understudy.aggregator.Eventually;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
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
    void questionThatWasTakenBack_isNotAnswered_andNothingOfItIsKept() throws Exception {
        List<Object> heard = new ArrayList<>();
        WeakReference<byte[]> asker = ask(heard);

        facts.learnOfServer("greeting", "hello");

        Eventually.await(() -> {
            System.gc();
            return asker.get() == null;
        });
        assertThat(heard).isEmpty();
    }

    /** Asks on behalf of something that the question holds, and takes the question back. */
    private WeakReference<byte[]> ask(List<Object> heard) {
        byte[] session = new byte[1000];
        facts.await("greeting", String.class, GlobalEventExecutor.INSTANCE, TimeUnit.HOURS.toNanos(1), fact -> {
                    heard.add(session);
                })
                .cancel();
        return new WeakReference<>(session);
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
