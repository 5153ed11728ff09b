package dev.understudy.sidecar.command.report;

import com.google.re2j.Pattern;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.mask.SecretRules;
import dev.understudy.relay.config.RedactSetting;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option of commands that read a recording, which holds everything: what they mask besides credentials. */
public final class RedactOption {
    @Option(
            names = "--redact",
            split = ",",
            paramLabel = "NAME",
            converter = Name.class,
            description = "Masks the values of fields of that name, too; several with commas, or named again.")
    private List<String> names = List.of();

    @Option(
            names = "--redact-value",
            paramLabel = "REGEX",
            converter = Value.class,
            description =
                    "Masks what this regular expression (RE2) finds, too, whatever it is called; may be repeated.")
    private List<Pattern> values = List.of();

    /** By these names and expressions, and by what is always masked. */
    public Masking masking() {
        return new Masking(new SecretRules(Set.copyOf(names), values));
    }

    /** As in the setting {@code redact-values}. */
    static final class Value implements ITypeConverter<Pattern> {
        @Override
        public Pattern convert(String raw) {
            try {
                return SecretRules.value(raw);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(raw + " (expected: a regular expression): " + wrong.getMessage());
            }
        }
    }

    /** As in the setting {@code redact}. */
    static final class Name implements ITypeConverter<String> {
        @Override
        public String convert(String raw) {
            try {
                return RedactSetting.name().parse().apply(raw.trim());
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(
                        raw + " (expected: " + RedactSetting.name().expected() + ")");
            }
        }
    }
}
