package dev.understudy.sidecar.report;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ReproductionTest {
    @Test
    void anythingThatChangesSomething_saysSo_andNamesTheRecording() throws Exception {
        assertThat(lines("POST /orders"))
                .containsExactly(
                        "# production does this, too; its headers and body are left out, since they may hold secrets",
                        "curl -g --path-as-is -i -X POST 'http://127.0.0.1:8080/orders'",
                        "# as recorded, if connection 1 was; compares with the recorded replies",
                        "understudy replay 'POST /orders' --connection 1 --to 'POST /orders'");
    }

    @Test
    void reading_isSafe() throws Exception {
        assertThat(lines("GET /orders"))
                .first()
                .isEqualTo("curl -g --path-as-is -i -X GET 'http://127.0.0.1:8080/orders'");
        assertThat(lines("HEAD /orders")).first().isEqualTo("curl -g --path-as-is -I 'http://127.0.0.1:8080/orders'");
    }

    @Test
    void whatIsMaskedOrCutOff_hasToBeFilledIn() throws Exception {
        for (String path : new String[] {"/orders?token=[masked]", "/orders/many…"}) {
            List<String> lines = lines("GET " + path);
            assertThat(lines).first().isEqualTo("# what is masked or cut off has to be filled in");
            assertThat(lines.get(1)).startsWith("curl ").endsWith(path + "'");
        }
    }

    @Test
    void whatNoCommandSays_isSaidToBeSo() throws Exception {
        assertThat(lines("GET user:17"))
                .first()
                .isEqualTo("# exchange 1 can't be repeated by a command: send the request again");
    }

    @Test
    void withoutARecording_thereIsNothingToReplay() throws Exception {
        assertThat(lines("")).containsExactly("# exchange 1 can't be repeated by a command: send the request again");
    }

    /** One divergence whose request, recording and addresses are that text. */
    private static List<String> lines(String text) throws Exception {
        Session.Copy copy = HostileReportTest.session(text, 1, 1).copies().get(0);
        return Reproduction.of(copy, copy.causes().get(0).first());
    }
}
