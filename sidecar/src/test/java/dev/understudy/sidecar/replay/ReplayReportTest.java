package dev.understudy.sidecar.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.VerdictKind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayReportTest {
    private final Outcome outcome = new Outcome();

    @Test
    void differences_areRows_byConnectionAndRequest() {
        outcome.replayed(0);
        outcome.judged(different(2, 1, "GET /b", "body.total", "119", "120"));
        outcome.judged(different(1, 3, "GET /a", "status", "200", null));
        outcome.judged(ReplayedExchange.compared(1, 1, "GET /", VerdictKind.EQUIVALENT, List.of()));
        ReplayReport report = new ReplayReport(outcome, false, List.of("not faithful: 1 of 2 calls"));

        assertThat(report.markdown()).isEqualTo("""
                ### 2 of 3 replies differ from the recorded ones

                | connections | same | equivalent | different | not compared | failed connections |
                | --- | --- | --- | --- | --- | --- |
                | 1 | 0 | 1 | 2 | 0 | 0 |

                | exchange | request | place | recorded | replayed |
                | --- | --- | --- | --- | --- |
                | <code>&#35;1/3</code> | <code>GET /a</code> | <code>status</code> | <code>200</code> | (nothing) |
                | <code>&#35;2/1</code> | <code>GET /b</code> | <code>body.total</code> | <code>119</code> | <code>120</code> |

                - <code>not faithful&#58; 1 of 2 calls</code>
                """);
        JsonNode json = report.json();
        assertThat(json.at("/verdicts/DIFFERENT").asInt()).isEqualTo(2);
        assertThat(json.at("/exchanges/0/request").asText()).isEqualTo("GET /");
        assertThat(json.at("/exchanges/2/differences/0/replayed").asText()).isEqualTo("120");
        assertThat(json.at("/good").asBoolean(true)).isFalse();
    }

    @Test
    void valuesThatOthersChose_areNoMarkup_andCallNobody() {
        String value = "a|b`\n<img src=x onerror=y> @team [x](http://x) \u0000" + "9".repeat(300);
        outcome.judged(different(1, 1, "GET /", "body", value, "1"));

        String cell = new ReplayReport(outcome, false, List.of(value))
                .markdown()
                .lines()
                .filter(line -> line.startsWith("| <code>&#35;1"))
                .findFirst()
                .orElseThrow();
        assertThat(cell).doesNotContain("<img", "@", "[", "`").hasSizeLessThan(1000);
        assertThat(new ReplayReport(outcome, false, List.of(value))
                        .markdown()
                        .lines()
                        .filter(line -> line.startsWith("- ")))
                .singleElement()
                .asString()
                .startsWith("- <code>")
                .doesNotContain("<img", "@", "[", "`");
        assertThat(cell.chars().filter(each -> each == '|').count()).isEqualTo(6);
    }

    @Test
    void tenThousandExchanges_areKept_theRestIsCounted() {
        for (int number = 1; number <= 10_003; number++) {
            outcome.judged(ReplayedExchange.compared(1, number, "GET /", VerdictKind.SAME, List.of()));
        }
        outcome.judged(different(9, 1, "GET /" + "a".repeat(70_000), "status", "200", "500"));
        JsonNode json = new ReplayReport(outcome, false, List.of()).json();

        assertThat(json.at("/exchanges")).hasSize(10_001);
        assertThat(json.at("/exchanges/10000/verdict").asText()).isEqualTo("DIFFERENT");
        assertThat(json.at("/exchanges/10000/request").asText()).hasSize(501);
        assertThat(json.at("/exchangesLeftOut").asInt()).isEqualTo(3);
        assertThat(json.at("/verdicts/SAME").asInt()).isEqualTo(10_003);
    }

    @Test
    void moreRowsThanAReaderTakes_areCounted_andHeadlinesSayWhatIsSo() {
        assertThat(new ReplayReport(outcome, false, List.of()).markdown())
                .contains("### No recorded reply was compared");
        for (int number = 1; number <= 70; number++) {
            outcome.judged(different(1, number, "GET /", "status", "200", "500"));
        }
        assertThat(new ReplayReport(outcome, false, List.of()).markdown())
                .contains("&#35;1/50<", "and 20 more")
                .doesNotContain("&#35;1/51<");
        Outcome good = new Outcome();
        good.judged(ReplayedExchange.compared(1, 1, "GET /", VerdictKind.SAME, List.of()));
        assertThat(new ReplayReport(good, true, List.of()).markdown()).contains("### All 1 replies are as recorded");
        good.failed(7, "java.io.IOException: refused");
        assertThat(new ReplayReport(good, false, List.of()).markdown())
                .contains("### No reply differs, but not all is as recorded", "&#35;7 failed");
    }

    private static ReplayedExchange different(
            long connection, int number, String request, String path, String recorded, @Nullable String replayed) {
        Difference difference = new Difference(path, Difference.Type.VALUE, recorded, replayed, null);
        return ReplayedExchange.compared(connection, number, request, VerdictKind.DIFFERENT, List.of(difference));
    }
}
