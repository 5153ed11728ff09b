package dev.understudy.it.stage;

import dev.understudy.it.bench.process.Programs;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides about the tests that are marked with {@link NeedsPrograms}. */
final class ProgramsCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        List<String> missing = context
                .getElement()
                .map(element -> element.getAnnotation(NeedsPrograms.class))
                .map(NeedsPrograms::value)
                .map(Arrays::asList)
                .orElse(List.of())
                .stream()
                .filter(name -> Programs.find(name).isEmpty())
                .toList();
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("all programs are there");
        }
        String reason = String.join(", ", missing) + ": not installed";
        if (System.getProperty("understudy.programs", "auto").equals("required")) {
            throw new IllegalStateException(reason + ", and understudy.programs=required");
        }
        System.out.println("SKIPPED " + context.getDisplayName() + ": " + reason);
        return ConditionEvaluationResult.disabled(reason);
    }
}
