package dev.understudy.relay.control;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AnswerThreadTest {
    @Test
    void whoComesWhenItIsFull_isRefusedAtOnce_theOthersAreAnswered() {
        CountDownLatch go = new CountDownLatch(1);
        try (AnswerThread thread = new AnswerThread("test-answers", 4)) {
            List<CompletableFuture<Reply>> taken = new ArrayList<>();
            for (int n = 0; n < 5; n++) {
                taken.add(thread.answer(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException closed) {
                        throw new IllegalStateException(closed);
                    }
                    return Reply.text(200, "made");
                }));
            }
            for (int n = 0; n < 100; n++) {
                CompletableFuture<Reply> refused = thread.answer(() -> Reply.text(200, "never"));
                assertThat(refused).isDone();
                assertThat(refused.join().status()).isEqualTo(503);
            }
            assertThat(taken).noneMatch(CompletableFuture::isDone);

            go.countDown();

            assertThat(taken).allMatch(made -> made.join().status() == 200);
            assertThat(thread.answer(() -> Reply.text(204, "")).join().status()).isEqualTo(204);
        }
    }

    @Test
    void workThatFails_failsItsReplyAlone() {
        try (AnswerThread thread = new AnswerThread("test-answers", 1)) {
            assertThatThrownBy(() -> thread.answer(() -> {
                                throw new IllegalArgumentException("n: 0");
                            })
                            .join())
                    .hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(thread.answer(() -> Reply.text(200, "")).join().status()).isEqualTo(200);
        }
    }
}
