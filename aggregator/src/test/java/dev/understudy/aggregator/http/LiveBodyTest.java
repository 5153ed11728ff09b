package dev.understudy.aggregator.http;

import dev.understudy.divergence.wire.http.Header;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LiveBodyTest {
    private final LiveBody stream = new LiveBody(8);
    private int signals;

    @Test
    void reader_getsWhatCameBeforeItAndAfter_andOneSignalUntilItLooks() {
        append("one");
        stream.read(Runnable::run, () -> signals++);
        append("two");
        append("");
        assertThat(signals).isEqualTo(1);

        stream.look();
        assertThat(stream.poll()).asString().isEqualTo("one");
        append("3");
        assertThat(signals).isEqualTo(2);
        stream.end(LiveBody.Ending.WHOLE, List.of(new Header("x-sum", "7")));

        assertThat(stream.ending()).isNull();
        assertThat(stream.poll()).asString().isEqualTo("two");
        assertThat(stream.poll()).asString().isEqualTo("3");
        assertThat(stream.poll()).isNull();
        assertThat(stream.ending()).isEqualTo(LiveBody.Ending.WHOLE);
        assertThat(stream.trailers()).containsExactly(new Header("x-sum", "7"));
        assertThat(stream.heldBytes()).isZero();
    }

    @Test
    void whatReadersLeave_isBounded() {
        stream.read(Runnable::run, () -> signals++);
        append("12345678");
        append("9");
        append("more");

        assertThat(stream.ending()).isEqualTo(LiveBody.Ending.CUT_OFF);
        assertThat(stream.heldBytes()).isZero();
        stream.end(LiveBody.Ending.WHOLE, List.of());
        assertThat(stream.ending()).isEqualTo(LiveBody.Ending.CUT_OFF);
    }

    @Test
    void whatNobodyReads_canBeTakenBack_andIsOverThen() {
        append("one");
        append("two");

        assertThat(stream.takeBack()).asString().isEqualTo("onetwo");
        append("three");
        assertThat(stream.heldBytes()).isZero();
    }

    @Test
    void whatIsRead_isNotTakenBack() {
        stream.read(Runnable::run, () -> signals++);
        assertThatThrownBy(stream::takeBack).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> stream.read(Runnable::run, () -> {})).isInstanceOf(IllegalStateException.class);
    }

    private void append(String text) {
        stream.append(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
