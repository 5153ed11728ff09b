package dev.understudy.session.command;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time such as {@code 250ms}, {@code 3s}, {@code 10m} or {@code 1h}. */
final class TimeConverter implements ITypeConverter<Duration> {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String raw) {
        Matcher time = TIME.matcher(raw);
        if (!time.matches() || Long.parseLong(time.group(1)) == 0) {
            throw new TypeConversionException(raw + " (expected: a time such as 250ms, 3s, 10m or 1h)");
        }
        long count = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }
}
