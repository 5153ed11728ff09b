package dev.understudy.aggregator.replay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GatheringTest {
    private final Gathering answers = new Gathering();
    private final EmbeddedChannel channel = new EmbeddedChannel(answers);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void shortAnswers_areOneWriteWhenFlushed() {
        answers.add(bytes("+OK\r\n"));
        answers.add(bytes(":1\r\n"));
        assertThat(written()).isEmpty();

        channel.flush();

        assertThat(written()).containsExactly("+OK\r\n:1\r\n");
    }

    @Test
    void otherWrites_keepTheirPlaceAmongAnswers() {
        answers.add(bytes("1"));
        channel.write(Unpooled.copiedBuffer("2", StandardCharsets.UTF_8));
        answers.add(bytes("3"));
        channel.writeAndFlush(Unpooled.copiedBuffer("4", StandardCharsets.UTF_8));

        assertThat(written()).containsExactly("1", "2", "3", "4");
    }

    @Test
    void longAnswers_areNotCopied() {
        String longer = "x".repeat(10_000);
        answers.add(bytes("1"));
        answers.add(bytes(longer));
        answers.add(bytes("2"));
        channel.flush();

        assertThat(written()).containsExactly("1", longer, "2");
    }

    @Test
    void manyAnswers_goOnBeforeTheyAreFlushed() {
        for (int i = 0; i < 100; i++) {
            answers.add(bytes("y".repeat(1_000)));
        }
        channel.flush();

        assertThat(written()).hasSizeBetween(3, 10).allMatch(write -> write.length() <= 34_000);
    }

    @Test
    void closedChannel_takesNothing() {
        answers.add(bytes("1"));
        channel.close();
        channel.runPendingTasks();
        answers.add(bytes("2"));

        assertThat(written()).isEmpty();
    }

    private List<String> written() {
        List<String> written = new ArrayList<>();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            written.add(out.toString(StandardCharsets.UTF_8));
            out.release();
        }
        return written;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
