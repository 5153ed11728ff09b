package dev.understudy.sidecar.command.report;

import dev.understudy.sidecar.report.FailRule;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** One rule of {@code --fail-on}. */
final class FailRuleConverter implements ITypeConverter<FailRule> {
    @Override
    public FailRule convert(String raw) {
        try {
            return FailRule.parse(raw);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
    }
}
