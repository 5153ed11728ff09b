package dev.understudy.it.stage;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Decides about the classes that are marked with {@link NeedsDocker}. */
final class DockerCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String wish = System.getProperty("understudy.docker", "auto");
        if (wish.equals("skip")) {
            return skipped(context, "understudy.docker=skip");
        }
        String missing = missing();
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("a Docker engine answers");
        }
        if (wish.equals("required")) {
            throw new IllegalStateException(missing + ", and understudy.docker=required");
        }
        return skipped(context, missing);
    }

    /** Returns what keeps container tests from running, or nothing. */
    private static String missing() {
        try {
            return DockerClientFactory.instance().isDockerAvailable() ? "" : "no Docker engine is reachable";
        } catch (RuntimeException unusable) {
            return "the Docker engine is of no use: " + unusable.getMessage();
        }
    }

    private static ConditionEvaluationResult skipped(ExtensionContext context, String reason) {
        System.out.println("SKIPPED " + context.getDisplayName() + ": " + reason);
        return ConditionEvaluationResult.disabled(reason);
    }
}
