package dev.understudy.relay.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import org.slf4j.helpers.MessageFormatter;

/**
 * One log line as JSON: {@code time}, {@code level}, {@code logger}, {@code message}, then the keys it has, then {@code
 * error} with the stack trace.
 *
 * <p>A value that stands right behind one of the words {@code listener}, {@code connection}, {@code exchange}, {@code
 * upstream}, {@code reason}, {@code order}, {@code by}, {@code role} and {@code status} in the message is also there
 * under that key, numbers as numbers.
 */
final class LogLine {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PLACE = Pattern.compile("(\\w+)? ?\\{}");
    private static final Set<String> KEYS =
            Set.of("listener", "connection", "exchange", "upstream", "reason", "order", "by", "role", "status");

    private LogLine() {}

    static String of(
            Instant time,
            Level level,
            String logger,
            @Nullable String pattern,
            Object @Nullable [] values,
            @Nullable Throwable failure) {
        Object[] given = values == null ? new Object[0] : values;
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", time.toString());
        line.put("level", level.name());
        line.put("logger", logger);
        line.put("message", String.valueOf(MessageFormatter.basicArrayFormat(pattern, given)));
        addKeys(line, pattern == null ? "" : pattern, given);
        if (failure != null) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            line.put("error", trace.toString());
        }
        try {
            return JSON.writeValueAsString(line) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("not writable as JSON: " + line, impossible);
        }
    }

    private static void addKeys(Map<String, Object> line, String pattern, Object[] values) {
        Matcher places = PLACE.matcher(pattern);
        for (int n = 0; n < values.length && places.find(); n++) {
            String key = places.group(1);
            if (key != null && KEYS.contains(key)) {
                Object value = values[n];
                line.put(key, value instanceof Number ? value : String.valueOf(value));
            }
        }
    }
}
