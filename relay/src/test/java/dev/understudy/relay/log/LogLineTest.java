package dev.understudy.relay.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.ILoggerFactory;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;

final class LogLineTest {
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

    @Test
    void knownWords_becomeKeys() {
        String line = LogLine.of(
                TIME,
                Level.WARN,
                "a.B",
                "listener {}, connection {}: its debug copy ends, reason {}{}",
                new Object[] {"orders", 7L, "OVERFLOW_LANE", " (and 3 more before it)"},
                null);

        assertThat(line)
                .isEqualTo("{\"time\":\"2026-01-02T03:04:05.678Z\",\"level\":\"WARN\",\"logger\":\"a.B\",\"message\":"
                        + "\"listener orders, connection 7: its debug copy ends, reason "
                        + "OVERFLOW_LANE (and 3 more before"
                        + " it)\",\"listener\":\"orders\",\"connection\":7,\"reason\":\"OVERFLOW_LANE\"}\n");
    }

    @Test
    void anything_staysOneLineOfJson() throws Exception {
        String line = LogLine.of(
                TIME,
                Level.ERROR,
                "a.B",
                "odd {} and {}",
                new Object[] {"\"quotes\"\nand a line", null},
                new IllegalStateException("on purpose"));

        assertThat(line).hasLineCount(1).endsWith("}\n");
        JsonNode read = new ObjectMapper().readTree(line);
        assertThat(read.get("message").asText()).isEqualTo("odd \"quotes\"\nand a line and null");
        assertThat(read.get("error").asText()).contains("IllegalStateException: on purpose", "at dev.understudy");
        assertThat(LogLine.of(TIME, Level.INFO, "a", null, null, null)).contains("\"message\":\"null\"");
    }

    @Test
    void levels_areThoseOfText() {
        JsonLogs logs = new JsonLogs();
        logs.initialize();
        ILoggerFactory loggers = logs.getLoggerFactory();

        assertThat(loggers.getLogger("dev.understudy.A").isInfoEnabled()).isTrue();
        assertThat(loggers.getLogger("dev.understudy.A").isDebugEnabled()).isFalse();
        assertThat(loggers.getLogger("io.netty.A").isInfoEnabled()).isFalse();
        assertThat(loggers.getLogger("io.netty.A").isWarnEnabled()).isTrue();
    }
}
