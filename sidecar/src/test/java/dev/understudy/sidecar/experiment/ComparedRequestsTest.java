package dev.understudy.sidecar.experiment;

import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.sidecar.experiment.Requests.Sample;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.ReplyFacts;
import dev.understudy.sidecar.reduce.CallText;
import dev.understudy.sidecar.reduce.HttpCall;
import dev.understudy.sidecar.reduce.HttpInput;
import dev.understudy.sidecar.reduce.InputPart;
import dev.understudy.sidecar.reduce.InputPart.Kind;
import dev.understudy.sidecar.reduce.Reduction;
import dev.understudy.sidecar.reduce.Reduction.Need;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Failing;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.ReplyPair;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which part of a failing request it is compared with. */
final class ComparedRequestsTest {
    private static final InputPart PARAMETER = new InputPart(Kind.PARAMETER, "b", "1");
    private static final InputPart PIECE = new InputPart(Kind.PIECE, "", "x");

    private final CallText texts = new CallText(Masking.PLAIN);
    private final Sample failing = failing();
    private final Sample good = new Sample(failing.entry(), call("/x?good=1"), 200);

    @Test
    void partThatHasTheMostOfIt_andGoesWell_isTaken_andBothAreSentTwice() {
        ComparedRequests made = reduced(
                List.of(good),
                need(PARAMETER, "/x", 200),
                need(PARAMETER, "/x?cc=1", 200),
                need(PARAMETER, "/x?d", 500));

        assertThat(made.isPart()).isTrue();
        assertThat(targets(made)).containsExactly("/x?b=1&cc=1", "/x?cc=1", "/x?b=1&cc=1", "/x?cc=1");
        assertThat(made.passing().get(0).status()).isEqualTo(200);
    }

    @Test
    void recordedRequestsStay_ifOnlyARedirectOrAPieceMakesTheDifference_orNothing() {
        for (Need need : List.of(
                need(PARAMETER, "/x?cc=1", 302),
                need(PARAMETER, "/x?cc=1", 404),
                need(PARAMETER, "/x?cc=1", 0),
                need(PIECE, "/x?cc=1", 200))) {
            ComparedRequests made = reduced(List.of(good), need);

            assertThat(made.isPart()).isFalse();
            assertThat(targets(made)).containsExactly("/x?a=1&b=1&cc=1", "/x?good=1", "/x?a=1&b=1&cc=1");
            assertThat(made.reduced()).isNotNull();
        }
    }

    @Test
    void whereNothingWentWell_aRedirectOrAPieceWillDo() {
        assertThat(reduced(List.of(), need(PARAMETER, "/x", 302)).isPart()).isTrue();
        assertThat(reduced(List.of(), need(PIECE, "/x", 200)).isPart()).isTrue();
        assertThat(targets(reduced(List.of(), need(PARAMETER, "/x?longer", 302), need(PARAMETER, "/x", 200))))
                .as("what isn't redirected before what is")
                .contains("/x");
        assertThat(reduced(List.of(), need(PARAMETER, "/x", 404)).passing()).isEmpty();
    }

    private ComparedRequests reduced(List<Sample> passing, Need... needs) {
        Reduction made = new Reduction(
                3,
                3,
                reply(500),
                HttpInput.of(failing.call()),
                HttpInput.of(call("/x?b=1&cc=1")),
                3,
                List.of(),
                List.of(needs),
                9,
                false);
        return ComparedRequests.recorded(failing, passing).reduced(made, texts);
    }

    private static List<String> targets(ComparedRequests made) {
        return made.order().stream()
                .map(sample -> sample.call().head().target())
                .toList();
    }

    private static Need need(InputPart part, String without, int status) {
        return new Need(part, HttpInput.of(call(without)), reply(status));
    }

    private static ReplyFacts reply(int status) {
        return new ReplyFacts(status, List.of(), new byte[0], 1, status == 0 ? "closed" : "");
    }

    private static HttpCall call(String target) {
        return HttpCall.of(bytes(target)).orElseThrow();
    }

    private static byte[] bytes(String target) {
        return ("GET " + target + " HTTP/1.1\r\nHost: shop\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Sample failing() {
        ExchangeLog log = ExchangeLog.of(10, 1L << 20);
        String request = "GET /x?a=1&b=1&cc=1";
        Judged judged = new Judged(1, "web", 1, null, request, Verdict.SAME, null, 5.0, 5.0, 0, 500, 500, 0);
        log.add(
                "debug",
                "GET /x",
                judged,
                new Failing("STATUS", "status from 500 on"),
                new ReplyPair(null, null, bytes("/x?a=1&b=1&cc=1")));
        return new Requests(log, new Labels(LabelRule.defaults())).failing(0).orElseThrow();
    }
}
