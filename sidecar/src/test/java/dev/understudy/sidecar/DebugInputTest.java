package dev.understudy.sidecar;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.content.protobuf.ProtobufSchema;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.sidecar.flame.RecentExchanges;
import dev.understudy.sidecar.inbound.InboundSink;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.GuessCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class DebugInputTest {
    private static final int ENOUGH = 200;

    private final EventLoops loops = EventLoops.open(1, 1);
    private Instant now = Instant.parse("2026-03-04T12:00:00Z");

    @AfterEach
    void close() {
        loops.close();
    }

    @Test
    void debugJvmThatIsInStepAgain_mayCountFromElsewhere() {
        DebugJvm jvm = jvm();
        learnCounter(jvm);
        new DebugInput(jvm, List.of(), watched -> {}).goOn(true);

        assertThat(counted(jvm, ENOUGH + 1, 3)).isEqualTo(VerdictKind.EQUIVALENT);
    }

    @Test
    void debugJvmThatIsNotInStep_mayNot() {
        DebugJvm jvm = jvm();
        learnCounter(jvm);
        new DebugInput(jvm, List.of(), watched -> {}).goOn(false);

        assertThat(counted(jvm, ENOUGH + 1, 3)).isEqualTo(VerdictKind.DIFFERENT);
    }

    private void learnCounter(DebugJvm jvm) {
        for (int i = 0; i < ENOUGH; i++) {
            counted(jvm, i, 50_000 + i);
        }
        assertThat(counted(jvm, ENOUGH, 50_000 + ENOUGH)).isEqualTo(VerdictKind.EQUIVALENT);
    }

    private VerdictKind counted(DebugJvm jvm, int production, int debug) {
        now = now.plusSeconds(1);
        TextSpan span = new TextSpan(now, now.plusMillis(10));
        Difference difference =
                new Difference("body.requests", Difference.Type.VALUE, "" + production, "" + debug, null);
        Verdict verdict = new Verdict(VerdictKind.DIFFERENT, null, List.of(difference));
        return jvm.noise.apply("GET /count", verdict, span, span).kind();
    }

    private DebugJvm jvm() {
        return new DebugJvm(
                "debug",
                loops,
                System::nanoTime,
                1 << 20,
                Duration.ofSeconds(1),
                200,
                List.of(),
                true,
                ProtobufSchema.NONE,
                new Masking(Set.of()),
                new AtomicLong(),
                null,
                InboundSink.NONE,
                GuessCheck.Source.NONE,
                new Labels(LabelRule.defaults()),
                ExchangeLog.of(1_000, 1 << 20),
                new RecentExchanges(() -> 0),
                ending -> {});
    }
}
