package dev.understudy.it.divergence;

import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.noise.learn.Learned;
import dev.understudy.divergence.noise.learn.NoiseKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Small runs of what {@code it/bench divergence} measures. */
@Tag("slow")
final class YardsticksTest {
    @Test
    void mutations_areReported_whoseValuesHaveBeenSeen() throws Exception {
        Recall recall = Recall.of(40, 1, true);

        assertThat(recall.total()).isGreaterThan(700);
        assertThat(recall.kinds()).isGreaterThan(20);
        assertThat(recall.share()).as("%s", recall.misses()).isGreaterThanOrEqualTo(0.995);
    }

    @Test
    void servicesThatDoTheSame_areEquivalent_onceTheirNoiseHasBeenLearned() {
        Session session = new Session(1);
        session.run(3000, 1000, 0);

        assertThat(Session.kindsOfNoise()).hasSizeGreaterThanOrEqualTo(20);
        assertThat(session.understudy().falseReports())
                .as("%s", session.wrong())
                .isZero();
        assertThat(session.learned())
                .extracting(Learned::kind)
                .contains(
                        NoiseKind.CLOCK,
                        NoiseKind.TOKEN,
                        NoiseKind.RANDOM,
                        NoiseKind.COUNTER,
                        NoiseKind.ROUNDING,
                        NoiseKind.HOST);
    }

    @Test
    void changesAmongNoise_areReported_andMoreOfThemThanByAskingProductionTwice() {
        Session session = new Session(2);
        session.run(3000, 1000, 0.1);

        assertThat(session.understudy().changed()).isGreaterThan(50);
        assertThat(session.understudy().recall()).as("%s", session.wrong()).isGreaterThanOrEqualTo(0.98);
        assertThat(session.understudy().recall())
                .isGreaterThan(session.threeWay().recall());
    }

    @Test
    void askingProductionTwice_overlooksItsNoise_andFlagsWhatOnlyTheCandidateDoes() {
        ThreeWay method = new ThreeWay();
        Sample reply =
                Sample.of("a", "GET /a\nHTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"n\":1,\"id\":\"x\"}");
        java.util.Set<String> noise = java.util.Set.of();
        java.util.Set<String> wrong = java.util.Set.of();
        for (int i = 0; i < 100; i++) {
            Sample second = reply.withBody("{\"n\":1,\"id\":\"y" + i + "\"}");
            noise = method.add(reply, second, reply.withBody("{\"n\":1,\"id\":\"z" + i + "\"}"));
            wrong = i < 50 ? wrong : method.add(reply, second, reply.withBody("{\"n\":2,\"id\":\"x\"}"));
        }
        assertThat(method.reports(wrong)).isTrue();
        assertThat(noise).hasSize(1);
    }

    @Test
    void largeBodies_areComparedToTheLastByte_inBoundedMemory() {
        long bytes = 16 << 20;

        for (LargeBody.Content content : LargeBody.Content.values()) {
            assertThat(LargeBody.compare(content, bytes, false, false).verdict())
                    .isEqualTo(VerdictKind.SAME);
            assertThat(LargeBody.compare(content, bytes, true, false).verdict()).isEqualTo(VerdictKind.EQUIVALENT);
            LargeBody.Outcome outcome = LargeBody.compare(content, bytes, true, true);
            assertThat(outcome.verdict()).isEqualTo(VerdictKind.DIFFERENT);
            assertThat(outcome.heldBytes()).isLessThan(4 << 20);
        }
    }
}
