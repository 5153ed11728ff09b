package dev.understudy.observatory.command;

import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A tier and where its exchanges are.
 *
 * @param tier its name, as the user chose it
 * @param source a recording, or the directory of an aggregator's journal
 */
record TierOption(String tier, Path source) {
    /** {@code NAME=SOURCE}. */
    static final class Converter implements ITypeConverter<TierOption> {
        @Override
        public TierOption convert(String raw) {
            int equals = raw.indexOf('=');
            if (equals <= 0 || equals == raw.length() - 1) {
                throw new TypeConversionException("'" + raw + "' (expected: NAME=SOURCE, such as db=db.understudy)");
            }
            return new TierOption(raw.substring(0, equals), Path.of(raw.substring(equals + 1)));
        }
    }
}
