package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code understudy compare} makes of an answer. */
final class CompareCommandLinesTest {
    @Test
    void partOfTheFailingRequest_hasItsOwnReplies_andWhatWasLeftOutIsListed() throws Exception {
        List<String> lines = lines("""
                {"state": "DONE", "calls": 2, "classes": 1, "left": 0, "partings": [],
                "failing": {"exchange": 7, "request": "GET /a?b=1&c=2", "status": 500},
                "passing": [{"exchange": 7, "request": "GET /a", "status": 200}],
                "asked": [
                {"exchange": 7, "role": "failing", "reply": "500"}, {"exchange": 7, "role": "passing", "reply": "200"},
                {"exchange": 7, "role": "failing", "reply": "502"}, {"exchange": 7, "role": "passing", "reply": "201"}],
                "reduced": {"request": "GET /a?b=1 HTTP/1.1\\nHost: shop", "without": "parameter b=1",
                "needs": [{"part": "parameter b=1", "reply": "200"}],
                "recordedBytes": 90, "smallestBytes": 30, "requests": 12, "limitReached": true}}""");

        assertThat(lines)
                .containsSubsequence(
                        "failing   exchange 7, GET /a?b=1&c=2, 500; again 500, 502",
                        "good      exchange 7, GET /a, 200; again 200, 201",
                        "reduced   from 90 to 30 bytes in 12 requests; stopped at the limit, so it may not be the smallest",
                        "   GET /a?b=1 HTTP/1.1",
                        "   Host: shop",
                        "   without parameter b=1: 200",
                        "compared  2 calls in one class");
    }

    @Test
    void whatWasGivenUp_saysWhy() throws Exception {
        assertThat(lines("""
                {"state": "GIVEN_UP", "words": "can't connect",
                "failing": {"exchange": 7, "request": "GET /a", "status": 500}, "passing": [], "asked": []}""")).containsExactly("failing   exchange 7, GET /a, 500", "", "not compared: can't connect");
    }

    private static List<String> lines(String json) throws Exception {
        return CompareCommand.lines(new ObjectMapper().readTree(json), 10);
    }
}
