package dev.understudy.sidecar.command.report;

import dev.understudy.sidecar.label.ReplyCondition;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A condition on a reply, as an option has it. */
public final class ReplyConditionWord implements ITypeConverter<ReplyCondition> {
    @Override
    public ReplyCondition convert(String raw) {
        try {
            return ReplyCondition.of(raw);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
    }
}
