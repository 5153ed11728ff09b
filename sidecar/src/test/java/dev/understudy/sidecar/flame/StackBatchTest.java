package dev.understudy.sidecar.flame;

import dev.understudy.relay.control.JsonBody;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class StackBatchTest {
    private static final String GOOD =
            "{\"name\":\"a\",\"names\":[\"x\",\"y\"],\"stacks\":[{\"span\":\"s\",\"frames\":[0,1]},"
                    + "{\"port\":7,\"from\":9,\"frames\":[1]},{\"frames\":[]}]}";

    @Test
    void stacks_areReadWithWhatTheirExchangeIsKnownBy() {
        StackBatch batch = read(GOOD);

        assertThat(batch.names()).containsExactly("x", "y");
        assertThat(batch.stacks()).extracting(StackBatch.Stack::key).containsExactly("s", "7@9", "");
        assertThat(batch.stacks().get(0).frames()).containsExactly(0, 1);
    }

    @Test
    void whatIsNoBatch_isRefused() {
        for (String wrong : new String[] {
            "{}",
            "{\"names\":[],\"stacks\":{}}",
            "{\"names\":[1],\"stacks\":[]}",
            "{\"names\":[\"x\"],\"stacks\":[{}]}",
            "{\"names\":[\"x\"],\"stacks\":[{\"frames\":[1]}]}",
            "{\"names\":[\"x\"],\"stacks\":[{\"frames\":[-1]}]}",
            "{\"names\":[\"x\"],\"stacks\":[{\"frames\":[0.5]}]}",
            "{\"names\":[\"x\"],\"stacks\":[{\"frames\":[99999999999]}]}",
            "{\"names\":[\"x\"],\"stacks\":[{\"frames\":[" + "0,".repeat(1024) + "0]}]}",
            "{\"names\":[\"x\"],\"stacks\":[7]}"
        }) {
            assertThatThrownBy(() -> read(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aLongName_isCut() {
        assertThat(read("{\"names\":[\"" + "x".repeat(5000) + "\"],\"stacks\":[]}")
                        .names()
                        .get(0))
                .hasSize(300);
    }

    /** Whatever comes is taken or refused, and what is taken can be read back. */
    @Test
    void damagedBatches_neverThrowAnythingElse() {
        for (int seed = 1; seed <= 3000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = GOOD.getBytes(StandardCharsets.UTF_8);
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) "{}[]\",:019-ex".charAt(random.nextInt(13));
            }
            Flames flames = new Flames(new RecentExchanges(() -> 0), () -> 0);
            try {
                flames.sampled(StackBatch.read(JsonBody.object(bytes)));
            } catch (IllegalArgumentException refused) {
                continue;
            }
            assertThat(flames.read(Flame.Span.ALL).names()).as("seed %d", seed).isNotEmpty();
        }
    }

    private static StackBatch read(String json) {
        return StackBatch.read(JsonBody.object(json.getBytes(StandardCharsets.UTF_8)));
    }
}
