package dev.understudy.agent.stack;

import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.bootstrap.Serving;
import dev.understudy.agent.budget.Stacking;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class StackSamplerTest {
    private static final String SPAN = "b7ad6b7169203331";
    private static final String TRACED = "00-0af7651916cd43dd8448eb211c80319c-" + SPAN + "-01";

    private final StackSampler sampler = new StackSampler(new Stacking(20));
    private final StackBatchWriter batch = new StackBatchWriter("a", sampler);

    @Test
    void theStackOfAServingThread_isToldWithItsExchange_theThreadsFirstFrameFirst() throws Exception {
        Serving.watch();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Thread thread = new Thread(() -> ExchangeTraffic.serving(TRACED, () -> waitFor(begun, over)));
        thread.start();
        begun.await();
        sampler.look();
        sampler.look();
        over.countDown();
        thread.join();
        sampler.look();

        String told = new String(batch.write(), StandardCharsets.UTF_8);
        assertThat(told)
                .startsWith("{\"name\":\"a\",\"names\":[\"java.lang.Thread.run\"")
                .contains("StackSamplerTest.waitFor\"", "{\"span\":\"" + SPAN + "\",\"frames\":[0,1,2")
                .doesNotContain("look");
        assertThat(told.split("\"span\"")).hasSize(3);
        assertThat(sampler.taken()).isEqualTo(2);
        assertThat(batch.write()).isEmpty();
    }

    @Test
    void nobodyServing_nothingIsTaken() throws Exception {
        Serving.watch();
        sampler.look();

        assertThat(batch.write()).isEmpty();
        assertThat(sampler.taken()).isZero();
    }

    @Test
    void moreThanCanBeTold_isDroppedAndCounted() {
        StackTraceElement[] stack = new StackTraceElement[ThreadStacks.DEEPEST];
        TakenStacks taken = sampler.all();
        ExchangeTraffic.serving(TRACED, () -> {
            ServedExchange[] found = new ServedExchange[1];
            Serving.now(found, 0);
            for (int i = 0; i < 5000; i++) {
                for (int frame = 0; frame < stack.length; frame++) {
                    stack[frame] = new StackTraceElement("A" + (frame + i) % 400, "b", null, -1);
                }
                taken.add(found[0].key(), stack);
            }
        });
        assertThat(taken.taken()).isEqualTo(5000);
        assertThat(taken.dropped()).isEqualTo(5000 - TakenStacks.ROOM / (ThreadStacks.DEEPEST + 1));
        TakenStacks.Batch told = taken.take();
        assertThat(told.names).hasSizeLessThan(402).startsWith("(deeper)");
        assertThat(told.stacks.get(0).frames[0])
                .as("where the rest of the stack is")
                .isZero();
    }

    @Test
    void classesThatTheJvmMakes_haveTheSameNameInEachJvm() {
        assertThat(named("a.B$$Lambda$17/0x0000000800c6a440")).isEqualTo("a.B$$Lambda.run");
        assertThat(named("a.B$$Lambda/0x000078e1")).isEqualTo("a.B$$Lambda.run");
        assertThat(named("java.lang.invoke.LambdaForm$DMH/0x1")).isEqualTo("java.lang.invoke.LambdaForm$DMH.run");
        assertThat(named("jdk.internal.reflect.GeneratedMethodAccessor12"))
                .isEqualTo("jdk.internal.reflect.GeneratedMethodAccessor.run");
        assertThat(named("a.Accessor12")).isEqualTo("a.Accessor12.run");
    }

    private static String named(String className) {
        return TakenStacks.name(new StackTraceElement(className, "run", null, -1));
    }

    private static void waitFor(CountDownLatch begun, CountDownLatch over) {
        begun.countDown();
        try {
            over.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
