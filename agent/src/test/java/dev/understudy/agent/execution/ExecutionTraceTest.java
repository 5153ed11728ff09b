package dev.understudy.agent.execution;

import dev.understudy.agent.bootstrap.ExecutionRecorder.End;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ExecutionTraceTest {
    private final ExecutionTrace trace = new ExecutionTrace("0af7651916cd43dd8448eb211c80319c");

    @Test
    void events_areBounded() {
        int calls = 0;
        while (call(calls, "", 0)) {
            calls++;
        }

        assertThat(calls).isEqualTo(ExecutionTrace.MOST_EVENTS / 2);
        assertThat(trace.left()).isEqualTo(1);
    }

    @Test
    void characters_areBounded() {
        String text = "x".repeat(120);
        int calls = 0;
        while (call(calls, text, 0)) {
            calls++;
        }

        assertThat(calls)
                .isBetween(
                        ExecutionTrace.MOST_CHARACTERS / (2 * text.length()),
                        ExecutionTrace.MOST_CHARACTERS / (2 * text.length()) + 1);
    }

    @Test
    void timeForLookingAtValues_isBounded_andWhatComesThenIsLeftOut_notChanged() {
        assertThat(call(1, "Cart{id=7}", ExecutionTrace.MOST_NANOS)).isTrue();
        assertThat(call(2, "Cart{id=7}", 0)).isFalse();
        assertThat(trace.threads().get(0).events)
                .hasSize(2)
                .allSatisfy(event -> assertThat(event.texts).containsExactly("Cart{id=7}"));
    }

    @Test
    void threads_areBounded() throws Exception {
        for (int i = 0; i < ExecutionTrace.MOST_THREADS + 3; i++) {
            Thread thread = new Thread(() -> call(1, "", 0));
            thread.start();
            thread.join();
        }

        assertThat(trace.threads()).hasSize(ExecutionTrace.MOST_THREADS);
        assertThat(trace.left()).isEqualTo(3);
    }

    @Test
    void deepRecursion_endsEachCallOnce_theRecordedOnesToo() {
        int depth = 100 * ExecutionTrace.MOST_OF_METHOD;
        for (int i = 0; i < depth; i++) {
            if (trace.begins(1)) {
                trace.add(1, null, List.of(), 0);
            }
        }
        int ended = 0;
        for (int i = 0; i < depth; i++) {
            boolean isRecorded = trace.ends(1);
            assertThat(isRecorded).isEqualTo(i >= depth - ExecutionTrace.MOST_OF_METHOD);
            ended += isRecorded ? 1 : 0;
        }

        assertThat(ended).isEqualTo(ExecutionTrace.MOST_OF_METHOD);
        assertThat(trace.ends(1)).isFalse();
    }

    @Test
    void executionThatWaits_isntOver() {
        assertThat(trace.isOver(in(60))).as("nothing was done yet").isFalse();
        trace.begins(1);
        assertThat(trace.isOver(in(2))).as("a call is open").isFalse();
        assertThat(trace.isOver(in(6))).as("for long").isTrue();
        trace.ends(1);
        assertThat(trace.isOver(in(0))).isFalse();
        assertThat(trace.isOver(in(2))).isTrue();
    }

    private static long in(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    private boolean call(int method, String text, long nanos) {
        if (!trace.begins(method)) {
            return false;
        }
        trace.add(method, null, List.of(text), nanos);
        assertThat(trace.ends(method)).isTrue();
        trace.add(method, End.RETURNED, List.of(text), 0);
        return true;
    }
}
