package dev.understudy.aggregator.fact;

import dev.understudy.aggregator.Eventually;
import dev.understudy.aggregator.exchange.Form;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerFactsTest {
    private static final ServerKey<String> GREETING = new ServerKey<>("greeting", String.class);

    private final ServerFacts facts = new ServerFacts();

    @Test
    void manyStatements_pushOutEachOther_notTheGreeting_norFactsOfAnotherKind() {
        facts.learnOfServer(GREETING, "hello");
        facts.learn("catalogue", 42, 100);
        facts.learn("first", "shape", 100);
        for (int n = 0; n < 20_000; n++) {
            facts.learn("statement " + n, "shape", 100);
        }
        assertThat(facts.known("first", String.class)).isNull();
        assertThat(facts.known("statement 19999", String.class)).isEqualTo("shape");
        assertThat(facts.known(GREETING, String.class)).isEqualTo("hello");
        assertThat(facts.known("catalogue", Integer.class)).isEqualTo(42);
    }

    @Test
    void questionThatWasTakenBack_isNotAnswered_andNothingOfItIsKept() throws Exception {
        List<Object> heard = new ArrayList<>();
        WeakReference<byte[]> asker = ask(heard);

        facts.learnOfServer(GREETING, "hello");

        Eventually.await(() -> {
            System.gc();
            return asker.get() == null;
        });
        assertThat(heard).isEmpty();
    }

    /** Asks on behalf of something that the question holds, and takes the question back. */
    private WeakReference<byte[]> ask(List<Object> heard) {
        byte[] session = new byte[1000];
        facts.await(GREETING, String.class, GlobalEventExecutor.INSTANCE, TimeUnit.HOURS.toNanos(1), fact -> {
                    heard.add(session);
                })
                .cancel();
        return new WeakReference<>(session);
    }

    @Test
    void factOfTheServer_isToldToWhoeverWaitsForIt() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        facts.await(
                GREETING,
                String.class,
                GlobalEventExecutor.INSTANCE,
                TimeUnit.MINUTES.toNanos(1),
                fact -> heard.complete(String.valueOf(fact)));
        assertThat(heard).isNotDone();
        facts.learnOfServer(GREETING, "hello");
        assertThat(heard.get(60, TimeUnit.SECONDS)).isEqualTo("hello");
    }

    @Test
    void questionForWhichThereIsNoRoom_getsNothingAtOnce_butWhatIsComplete() {
        List<Object> heard = new ArrayList<>();
        facts.learn("half", "half", 100);
        EmbeddedChannel caller = new EmbeddedChannel();
        for (int i = 0; i < 10_000; i++) {
            facts.await(i, String.class, caller.eventLoop(), TimeUnit.HOURS.toNanos(1), fact -> {});
        }
        for (boolean complete : new boolean[] {false, true}) {
            facts.await("half", String.class, fact -> complete, caller.eventLoop(), 1, heard::add);
        }

        assertThat(heard).containsExactly(null, "half");
        caller.finishAndReleaseAll();
    }

    @Test
    void questionsForOneFact_areBoundedToo() {
        EmbeddedChannel caller = new EmbeddedChannel();
        List<Object> heard = new ArrayList<>();
        for (int i = 0; i < 10_001; i++) {
            facts.await("same", String.class, caller.eventLoop(), TimeUnit.HOURS.toNanos(1), heard::add);
        }
        assertThat(heard).containsExactly((Object) null);
        facts.learn("same", "fact", 100);
        caller.runPendingTasks();
        assertThat(heard).hasSize(10_001).endsWith("fact");

        facts.await("other", String.class, caller.eventLoop(), TimeUnit.HOURS.toNanos(1), heard::add);
        assertThat(heard).hasSize(10_001);
        caller.finishAndReleaseAll();
    }

    @Test
    void questionThatIsTakenBack_makesRoom() {
        EmbeddedChannel caller = new EmbeddedChannel();
        List<Object> heard = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            facts.await(i % 7, String.class, caller.eventLoop(), TimeUnit.HOURS.toNanos(1), heard::add)
                    .cancel();
        }
        assertThat(heard).isEmpty();
        caller.finishAndReleaseAll();
    }

    @Test
    void newsThatIsNotWhatWasAskedFor_leavesTheQuestionWaiting() {
        EmbeddedChannel caller = new EmbeddedChannel();
        List<Object> heard = new ArrayList<>();
        facts.await(
                "fact",
                String.class,
                fact -> fact.equals("whole"),
                caller.eventLoop(),
                TimeUnit.HOURS.toNanos(1),
                heard::add);
        facts.learn("fact", "half", 100);
        facts.learn("fact", 42, 100);
        caller.runPendingTasks();
        assertThat(heard).isEmpty();

        facts.learn("fact", "whole", 100);
        caller.runPendingTasks();
        assertThat(heard).containsExactly("whole");
        caller.finishAndReleaseAll();
    }

    /** Two connections record the same statement's first description at one moment. */
    @Test
    void changesAtOneMoment_areBothKept() throws Exception {
        Thread other = new Thread(() -> change("theirs", () -> {}));
        change("mine ", () -> {
            other.start();
            joinFor(other, 100);
        });
        other.join();

        assertThat(facts.known("fact", StringBuilder.class)).hasToString("mine theirs");
    }

    private void change(String word, Runnable before) {
        facts.change(
                "fact",
                StringBuilder.class,
                StringBuilder::new,
                text -> {
                    before.run();
                    return !text.append(word).isEmpty();
                },
                text -> 100);
    }

    private static void joinFor(Thread thread, long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void factThatIsTooLarge_pushesOutNoOther() {
        facts.learn("small", "fact", 100);
        facts.learn("large", "old", 100);
        facts.learn("large", "new", 1 << 30);
        facts.learn("last", "fact", 100);

        assertThat(facts.known("small", String.class)).isEqualTo("fact");
        assertThat(facts.known("large", String.class)).isNull();
        assertThat(facts.known("last", String.class)).isEqualTo("fact");
    }

    @Test
    void factsOfForms_countWithTheFormsTexts() {
        Form first = Form.of("", "first");
        facts.learn(first, "fact", 0);
        for (int i = 0; i < 4_900; i++) {
            facts.learn(Form.of("", i + "\u8a9e".repeat(400)), "fact", 600);
        }
        assertThat(facts.known(first, String.class)).isNull();
    }
}
