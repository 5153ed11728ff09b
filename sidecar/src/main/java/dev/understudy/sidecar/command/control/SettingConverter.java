package dev.understudy.sidecar.command.control;

import dev.understudy.relay.config.Value;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Options that are written as in a settings file. */
public final class SettingConverter {
    private SettingConverter() {}

    /** A size, such as {@code 256MiB}. */
    public static final class Bytes implements ITypeConverter<Long> {
        @Override
        public Long convert(String raw) {
            return as(Value.bytes(), raw);
        }
    }

    /** A time, such as {@code 50ms}. */
    public static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String raw) {
            return as(Value.duration(), raw);
        }
    }

    private static <T> T as(Value<T> value, String raw) {
        try {
            return value.parse().apply(raw);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(raw + " (expected: " + value.expected() + ")");
        }
    }
}
