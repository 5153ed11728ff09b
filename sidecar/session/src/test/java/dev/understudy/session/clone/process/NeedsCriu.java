package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.facts.ProcFile;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks tests that need root and CRIU.
 *
 * <p>{@code -Dunderstudy.programs=required} makes their lack an error, {@code auto} (the default) skips the tests and
 * prints so in one line.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCriu.Condition.class)
@interface NeedsCriu {
    /** Decides about them. */
    final class Condition implements ExecutionCondition {
        static CriuProgram program() throws CloneException {
            return CriuProgram.find(Optional.empty(), System.getenv());
        }

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String reason;
            try {
                program();
                if (ProcFile.number(ProcFile.values(
                                        ProcFile.of(ProcessHandle.current().pid(), "status"))
                                .get("Uid"))
                        == 0) {
                    return ConditionEvaluationResult.enabled("root and CRIU are there");
                }
                reason = "not root";
            } catch (CloneException missing) {
                reason = missing.getMessage();
            }
            if (System.getProperty("understudy.programs", "auto").equals("required")) {
                throw new IllegalStateException(reason + ", and understudy.programs=required");
            }
            System.out.println("SKIPPED " + context.getDisplayName() + ": " + reason);
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
