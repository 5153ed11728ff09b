package dev.understudy.standin.load;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LoadResultTest {
    private static final long MILLI = 1_000_000;

    private final RouteMeter meter = new RouteMeter();

    private LoadResult result(double reached, long dropped, double lateMillis) {
        LoadFigures total = new LoadFigures("total", meter.copy(), 100, reached, dropped);
        LoadFigures route = new LoadFigures("GET /a", meter.copy(), 100, reached, dropped);
        return new LoadResult(
                total, List.of(route), 10, 3, lateMillis, 0, Map.of(LoadError.REFUSED, "Connection refused"));
    }

    private static String text(LoadResult result) {
        StringWriter text = new StringWriter();
        LoadText.print(result, new PrintWriter(text));
        return text.toString();
    }

    @Test
    void load_isReachedFromNineteenTwentiethsOn() {
        assertThat(result(95, 0, 0).isReached()).isTrue();
        assertThat(result(94, 0, 0).isReached()).isFalse();
        assertThat(result(100, 1, 0).isReached()).isFalse();
    }

    @Test
    void requestWithoutReply_isNotFine() {
        meter.replied(200, 0, 0, MILLI, 5);
        assertThat(result(100, 0, 0).isFine()).isTrue();

        meter.failed(LoadError.CLOSED, 0, MILLI);
        assertThat(result(100, 0, 0).isFine()).isFalse();
        assertThat(result(100, 0, 0).isReached()).isTrue();
    }

    @Test
    void lateGenerator_isNoted() {
        assertThat(result(100, 0, 9).notes()).noneMatch(note -> note.contains("generator"));
        assertThat(result(100, 0, 12.34).notes()).anyMatch(note -> note.contains("12.3 ms late at p99"));
    }

    @Test
    void times_areOfRepliesAndTimeouts() {
        meter.replied(200, 0, 8 * MILLI, 10 * MILLI, 5);
        meter.failed(LoadError.TIMEOUT, 0, 30 * MILLI);
        meter.failed(LoadError.REFUSED, 0, 1);
        LoadFigures figures = result(100, 0, 0).total();

        assertThat(figures.count()).isEqualTo(3);
        assertThat(figures.replies()).isEqualTo(1);
        assertThat(figures.errorCount()).isEqualTo(2);
        assertThat(figures.meanMillis()).isBetween(19.9, 20.1);
        assertThat(figures.percentileMillis(50)).isBetween(9.9, 10.1);
        assertThat(figures.percentileMillis(100)).isBetween(29.9, 30.1);
        assertThat(figures.servicePercentileMillis(100)).isBetween(1.9, 2.1);
        assertThat(figures.bytes()).isEqualTo(5);
    }

    @Test
    void text_hasStatusesErrorsAndWhatIsWrong() {
        meter.replied(200, 0, 0, MILLI, 5);
        meter.failed(LoadError.REFUSED, 0, 1);

        assertThat(text(result(50, 7, 0)))
                .containsPattern("GET /a +2 +100\\.0% .* 200:1 refused:1 dropped:7")
                .contains("wanted 100.0 per second, reached 50.0")
                .contains("note: first refused: Connection refused")
                .contains("The load was not reached: 50.0 % of the wanted rate, 7 requests dropped");
    }

    @Test
    void textWithoutAnyReply_hasNoTimes() {
        meter.failed(LoadError.REFUSED, 0, 1);

        assertThat(text(result(100, 0, 0)))
                .containsPattern("total .* - +- +- +- +- +refused:1")
                .contains("no reply came")
                .doesNotContain("NaN");
    }
}
